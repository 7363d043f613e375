//! What callers want to see.

use std::time::Duration;

use chaquete_proto::v1;

use super::{
    legal::LegalMovesView,
    page::List,
    scalar,
    state::View,
    violations::{BadRequest, Path, Violations},
};
use crate::{
    name::MatchName,
    store::{Order, OrderBy},
};

const DEFAULT_MATCHES: u32 = 50;
const MAX_MATCHES: u32 = 500;
const DEFAULT_EVENTS: u32 = 200;
const MAX_EVENTS: u32 = 1_000;
const MAX_WAIT: Duration = Duration::from_secs(60);
const HEARTBEAT: Duration = Duration::from_secs(15);

/// The name of a match, where that is all that is asked.
///
/// # Errors
/// It is none.
pub fn read_name(name: &str) -> Result<MatchName, BadRequest> {
    let mut violations = Violations::default();
    let name = scalar::match_name(&mut violations, Path::root("name"), name);
    violations.finish(name)
}

/// A match, and how much of it.
///
/// # Errors
/// Everything that is wrong with the request.
pub fn read_get(request: &v1::GetMatchRequest) -> Result<(MatchName, View), BadRequest> {
    let mut violations = Violations::default();
    let name = scalar::match_name(&mut violations, Path::root("name"), &request.name);
    let view = View::read(&mut violations, Path::root("view"), request.view, View::Full);
    violations.finish(name.zip(view))
}

/// A match, and how much of its legal moves.
///
/// # Errors
/// Everything that is wrong with the request.
pub fn read_legal_moves(
    request: &v1::GetLegalMovesRequest,
) -> Result<(MatchName, LegalMovesView), BadRequest> {
    let mut violations = Violations::default();
    let name = scalar::match_name(&mut violations, Path::root("name"), &request.name);
    let view = LegalMovesView::read(&mut violations, Path::root("view"), request.view);
    violations.finish(name.zip(view))
}

/// Which matches are to be listed.
#[derive(Clone, Debug)]
pub struct MatchList {
    /// The tenant; `-` for all.
    pub tenant: String,
    /// The most matches.
    pub limit: u32,
    /// In which order.
    pub order: Order,
    /// How much of each.
    pub view: View,
}

/// Which matches are to be listed. The page token is not looked at.
///
/// # Errors
/// Everything that is wrong with the request.
pub fn read_match_list(request: &v1::ListMatchesRequest) -> Result<MatchList, BadRequest> {
    let mut violations = Violations::default();
    let tenant = scalar::tenant(&mut violations, Path::root("parent"), &request.parent);
    let limit = scalar::page_size(
        &mut violations,
        Path::root("page_size"),
        request.page_size,
        DEFAULT_MATCHES,
        MAX_MATCHES,
    );
    let order = read_order(&mut violations, Path::root("order_by"), &request.order_by);
    let view = View::read(&mut violations, Path::root("view"), request.view, View::Basic);
    let list = || Some(MatchList { tenant: tenant?, limit: limit?, order: order?, view: view? });
    violations.finish(list())
}

fn read_order(violations: &mut Violations, path: Path<'_>, order_by: &str) -> Option<Order> {
    let words: Vec<_> = order_by.split_whitespace().collect();
    let order = |by, descending| Some(Order { by, descending });
    let order = match words[..] {
        [] | ["create_time", "desc"] => order(OrderBy::CreateTime, true),
        ["create_time"] | ["create_time", "asc"] => order(OrderBy::CreateTime, false),
        ["end_time", "desc"] => order(OrderBy::EndTime, true),
        ["end_time"] | ["end_time", "asc"] => order(OrderBy::EndTime, false),
        _ => None,
    };
    violations.check(
        order.is_some(),
        path,
        "must be `create_time` or `end_time`, each with ` desc` if wanted",
    );
    order
}

/// The list that page tokens of this request belong to. The page size may change from page to page.
pub fn with_match_list<T>(request: &v1::ListMatchesRequest, then: impl FnOnce(List<'_>) -> T) -> T {
    let view = request.view.to_string();
    let fields = [&request.parent, &request.filter, &request.order_by, &view].map(String::as_str);
    then(List { method: "ListMatches", fields: &fields })
}

/// Which events are to be listed.
#[derive(Clone, Debug)]
pub struct EventList {
    /// The match.
    pub name: MatchName,
    /// The most events.
    pub limit: u32,
    /// After which revision.
    pub after: u32,
    /// How long to wait if there is none.
    pub wait: Duration,
}

/// Which events are to be listed. The page token is not looked at.
///
/// # Errors
/// Everything that is wrong with the request.
pub fn read_event_list(request: &v1::ListMatchEventsRequest) -> Result<EventList, BadRequest> {
    let mut violations = Violations::default();
    let name = scalar::match_name(&mut violations, Path::root("parent"), &request.parent);
    let limit = scalar::page_size(
        &mut violations,
        Path::root("page_size"),
        request.page_size,
        DEFAULT_EVENTS,
        MAX_EVENTS,
    );
    let after = scalar::count(&mut violations, Path::root("after_revision"), request.after_revision);
    let wait = scalar::duration(
        &mut violations,
        Path::root("wait_for"),
        request.wait_for.as_ref(),
        Duration::ZERO..=MAX_WAIT,
    );
    let list = || {
        Some(EventList { name: name?, limit: limit?, after: after?, wait: wait?.unwrap_or(Duration::ZERO) })
    };
    violations.finish(list())
}

/// The list that page tokens of this request belong to.
pub fn with_event_list<T>(request: &v1::ListMatchEventsRequest, then: impl FnOnce(List<'_>) -> T) -> T {
    let after = request.after_revision.to_string();
    then(List { method: "ListMatchEvents", fields: &[&request.parent, &after] })
}

/// How a match is to be watched.
#[derive(Clone, Debug)]
pub struct Watch {
    /// The match.
    pub name: MatchName,
    /// After which revision; not looked at with a snapshot.
    pub after: u32,
    /// Whether the match itself comes first, and events from now on.
    pub snapshot: bool,
    /// Whether each event comes with the game after it.
    pub include_game: bool,
    /// How often a heartbeat comes when nothing happens.
    pub heartbeat: Duration,
}

/// How a match is to be watched.
///
/// # Errors
/// Everything that is wrong with the request.
pub fn read_watch(request: &v1::WatchMatchRequest) -> Result<Watch, BadRequest> {
    let mut violations = Violations::default();
    let name = scalar::match_name(&mut violations, Path::root("name"), &request.name);
    let path = Path::root("after_revision");
    let after = scalar::count(&mut violations, path, request.after_revision);
    violations.check(
        !request.snapshot || after.is_none_or(|after| after == 0),
        path,
        "must be 0 with `snapshot`: the stream then begins at the revision of the snapshot",
    );
    let heartbeat = read_heartbeat(&mut violations, request.heartbeat_interval.as_ref());
    let watch = || {
        Some(Watch {
            name: name?,
            after: after?,
            snapshot: request.snapshot,
            include_game: request.include_game,
            heartbeat: heartbeat?,
        })
    };
    violations.finish(watch())
}

/// How often a heartbeat comes.
pub(super) fn read_heartbeat(
    violations: &mut Violations,
    given: Option<&prost_types::Duration>,
) -> Option<Duration> {
    let bounds = Duration::from_secs(5)..=Duration::from_secs(60);
    let heartbeat = scalar::duration(violations, Path::root("heartbeat_interval"), given, bounds);
    heartbeat.map(|heartbeat| heartbeat.unwrap_or(HEARTBEAT))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bad_fields<T: std::fmt::Debug>(read: Result<T, BadRequest>) -> Vec<String> {
        read.expect_err("a bad request").violations.into_iter().map(|violation| violation.field).collect()
    }

    #[test]
    fn every_bad_field_is_told() {
        assert_eq!(
            bad_fields(read_get(&v1::GetMatchRequest { name: "x".to_owned(), view: 9 })),
            ["name", "view"]
        );
        assert_eq!(
            bad_fields(read_legal_moves(&v1::GetLegalMovesRequest { name: "x".to_owned(), view: -1 })),
            ["name", "view"]
        );
        let matches = v1::ListMatchesRequest {
            parent: "default".to_owned(),
            page_size: -1,
            filter: String::new(),
            order_by: "update_time".to_owned(),
            view: 3,
            page_token: String::new(),
        };
        assert_eq!(bad_fields(read_match_list(&matches)), ["parent", "page_size", "order_by", "view"]);
        let events = v1::ListMatchEventsRequest {
            page_size: -1,
            after_revision: -1,
            wait_for: Some(prost_types::Duration { seconds: 60, nanos: 1 }),
            ..v1::ListMatchEventsRequest::default()
        };
        assert_eq!(
            bad_fields(read_event_list(&events)),
            ["parent", "page_size", "after_revision", "wait_for"]
        );
        let watch = v1::WatchMatchRequest {
            after_revision: 3,
            snapshot: true,
            heartbeat_interval: Some(prost_types::Duration { seconds: 4, nanos: 0 }),
            ..v1::WatchMatchRequest::default()
        };
        assert_eq!(bad_fields(read_watch(&watch)), ["name", "after_revision", "heartbeat_interval"]);
    }

    #[test]
    fn orders_are_two_times_up_and_down() {
        let read = |order_by: &str| {
            let parent = "tenants/default".to_owned();
            read_match_list(&v1::ListMatchesRequest {
                parent,
                order_by: order_by.to_owned(),
                ..v1::ListMatchesRequest::default()
            })
            .map(|list| (list.order.by, list.order.descending))
            .ok()
        };
        assert_eq!(read(""), Some((OrderBy::CreateTime, true)));
        assert_eq!(read("create_time"), Some((OrderBy::CreateTime, false)));
        assert_eq!(read(" end_time  desc "), Some((OrderBy::EndTime, true)));
        for wrong in ["desc", "create_time, end_time", "create_time DESC", "name"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}

//! What every store must do, whatever its engine: [`run`] it on each of them.
//!
//! The cases ask for nothing but a store that they share with each other and with whatever else is in it: all
//! they write is theirs, by tenants and uids that are used once.

mod append;
mod checkpoints;
pub mod cluster;
mod concurrency;
mod create;
mod credentials;
mod deadlines;
#[cfg(test)]
pub(super) mod dropping;
mod drops;
mod events;
pub mod fixture;
pub mod golden;
mod lists;
mod mend;
#[cfg(test)]
pub(super) mod rebuild;
mod reopen;
#[cfg(test)]
pub(super) mod retain;

use std::{pin::Pin, sync::Arc};

use tokio::task::JoinSet;

use super::Store;

type Case = fn(Arc<dyn Store>) -> Pin<Box<dyn Future<Output = ()> + Send>>;

macro_rules! cases {
    ($($module:ident::$case:ident,)*) => {
        &[$((concat!(stringify!($module), "::", stringify!($case)), |store| Box::pin($module::$case(store)))),*]
    };
}

/// Every case that needs no more than an open store, with its name.
const CASES: &[(&str, Case)] = cases![
    create::a_new_match_is_found_as_it_was,
    create::nothing_is_found_by_another_key,
    create::nothing_is_found_by_another_name,
    create::a_taken_name_is_refused,
    create::a_taken_key_is_refused,
    create::what_was_agreed_is_kept,
    create::tenants_do_not_see_each_other,
    create::any_text_is_kept,
    create::a_log_with_a_gap_is_refused,
    append::events_move_the_head,
    append::a_match_ends,
    append::the_standing_is_the_latest,
    append::notes_change_when_they_are_given,
    append::a_stale_revision_conflicts,
    append::a_future_revision_conflicts,
    append::an_unknown_match_conflicts,
    append::a_request_is_written_once,
    append::matches_may_share_a_request_id,
    append::events_that_do_not_follow_are_refused,
    mend::a_row_is_mended,
    mend::what_the_log_does_not_say_stays,
    mend::an_overtaken_mend_conflicts,
    mend::an_unknown_match_is_not_mended,
    events::bytes_come_back_exactly,
    events::pages_have_no_gaps,
    events::a_request_is_found,
    events::there_are_none_of_an_unknown_match,
    lists::every_order_is_kept,
    lists::ties_are_broken_by_name,
    lists::ties_of_tenants_are_broken_by_tenant,
    lists::running_matches_have_no_place_by_end,
    lists::pages_stay_whole_while_matches_are_added,
    lists::tenants_are_apart_and_all_are_together,
    lists::filters_choose_matches,
    deadlines::a_head_has_its_deadline,
    deadlines::what_is_overdue_comes_earliest_first,
    deadlines::what_moves_on_in_time_is_not_overdue,
    deadlines::every_deadline_is_in_the_pages_of_running_matches,
    deadlines::pages_stay_whole_while_deadlines_move,
    lists::running_matches_of_a_tenant_are_counted,
    deadlines::the_last_beat_is_the_latest,
    deadlines::beats_at_once_leave_the_latest,
    concurrency::one_of_many_wins_each_revision,
    concurrency::one_of_many_gets_a_name,
    concurrency::many_matches_are_written_at_once,
    checkpoints::the_tree_grows_by_leaves,
    checkpoints::keys_have_leaves_of_their_own,
    checkpoints::an_overtaken_growth_writes_nothing,
    checkpoints::a_leaf_is_added_once,
    checkpoints::one_of_many_grows,
    checkpoints::a_match_tells_how_far_it_is_covered,
    checkpoints::pages_of_matches_are_whole,
    credentials::a_key_is_found_as_it_was,
    credentials::a_key_is_there_once,
    credentials::a_key_is_revoked_once,
    credentials::tokens_are_revoked_for_good,
    drops::dropped_appends_leave_no_gap,
    drops::dropped_creates_are_whole_or_nothing,
    drops::dropped_reads_harm_nobody,
];

/// Runs every case on stores that `open` opens: one for most cases, and then the same one again and again for
/// what must outlive closing, if `durable`.
///
/// # Panics
/// If the store does not do what it must; the message names the cases that failed.
pub async fn run(durable: bool, open: impl AsyncFn() -> Arc<dyn Store>) {
    let store = open().await;
    let mut failed = Vec::new();
    for (name, case) in CASES {
        // In a task, so that a failed assertion does not hide the other cases.
        if tokio::spawn(case(Arc::clone(&store))).await.is_err() {
            failed.push(*name);
        }
    }
    assert!(failed.is_empty(), "these cases failed, see above: {failed:?}");
    reopen::a_closed_store_says_so(store).await;
    if durable {
        reopen::what_was_acknowledged_is_there(&open).await;
        reopen::closing_finishes_what_waits(&open).await;
        reopen::deadlines_and_beats_are_there(&open).await;
        checkpoints::the_tree_is_there(&open).await;
    }
}

/// Runs `count` tasks at once, each with its number, and gives their results in the order of their ends.
async fn at_once<T, F>(count: u32, task: impl Fn(u32) -> F) -> Vec<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let mut tasks = JoinSet::new();
    for n in 0..count {
        tasks.spawn(task(n));
    }
    tasks.join_all().await
}

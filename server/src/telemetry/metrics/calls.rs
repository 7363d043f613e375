//! What is measured of calls, and of the actions on `Act` streams, which are calls in all but name.
//!
//! A call that succeeds costs one look at a map and a few additions. Labels are words of which there are so many: none of
//! them is made up by a caller.

use std::{borrow::Cow, collections::HashMap, sync::Arc, time::Duration};

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
};

use super::{Metrics, SECONDS, names};
use crate::clock::Stopwatch;

/// How a call ended, in words of the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The code, as in `INVALID_ARGUMENT`.
    pub code: &'static str,
    /// Why it failed, if it did.
    pub refused: Option<Refused>,
}

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The reason.
    pub reason: String,
    /// The rule of play that was broken, if it was that.
    pub rule: Option<String>,
}

impl Ending {
    /// The code of a call that succeeded.
    pub const OK: &str = "OK";

    /// A call that was answered.
    #[must_use]
    pub const fn ok() -> Self {
        Self { code: Self::OK, refused: None }
    }

    /// A call whose caller did not wait for the end.
    const fn given_up() -> Self {
        Self { code: "CANCELLED", refused: None }
    }
}

/// Name of a method, without that of its service: no two have the same.
type Name = Cow<'static, str>;

/// The method of what is none of the contract.
const UNKNOWN: &str = "unknown";

/// How something was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Over {
    Call,
    Act,
}

impl Over {
    const fn word(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Act => "act",
        }
    }
}

/// The codes that are no fault of a caller. They are shown before anything has failed: of a counter that begins with 1,
/// nobody can say that it has gone up.
const FAULTS: [&str; 3] = ["INTERNAL", "UNAVAILABLE", "DATA_LOSS"];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Ended {
    method: Name,
    code: &'static str,
    over: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Reason {
    method: Name,
    reason: String,
    rule: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Took {
    method: Name,
    over: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Of {
    method: Name,
}

/// What is measured of calls. Clones are the same.
#[derive(Clone, Debug)]
pub struct CallMeters(Arc<Meters>);

#[derive(Debug)]
struct Meters {
    /// Those that are called, by path.
    calls: HashMap<String, Arc<Method>>,
    /// Those that are called on streams, by name.
    acts: HashMap<&'static str, Arc<Method>>,
    /// For all that is neither.
    unknown: Arc<Method>,
    families: Families,
}

#[derive(Debug)]
struct Families {
    ended: Family<Ended, Counter>,
    refused: Family<Reason, Counter>,
    took: Family<Took, Histogram, fn() -> Histogram>,
    under_way: Family<Of, Gauge>,
}

/// A method, with its meters looked up already.
#[derive(Debug)]
struct Method {
    name: Name,
    over: Over,
    succeeded: Counter,
    /// `None` for streams: they last as long as somebody listens.
    took: Option<Histogram>,
    under_way: Gauge,
}

impl Families {
    fn method(&self, name: impl Into<Name>, over: Over, is_timed: bool) -> Arc<Method> {
        let name = name.into();
        for code in FAULTS {
            self.ended(&name, code, over);
        }
        let took = || self.took.get_or_create_owned(&Took { method: name.clone(), over: over.word() });
        Arc::new(Method {
            over,
            succeeded: self.ended(&name, Ending::OK, over),
            took: is_timed.then(took),
            under_way: self.under_way.get_or_create_owned(&Of { method: name.clone() }),
            name,
        })
    }

    fn ended(&self, method: &Name, code: &'static str, over: Over) -> Counter {
        self.ended.get_or_create_owned(&Ended { method: method.clone(), code, over: over.word() })
    }

    fn count(&self, method: &Method, took: Duration, ending: Ending) {
        if let Some(timed) = &method.took {
            timed.observe(took.as_secs_f64());
        }
        if ending.code == Ending::OK {
            method.succeeded.inc();
            return;
        }
        self.ended(&method.name, ending.code, method.over).inc();
        if let Some(Refused { reason, rule }) = ending.refused {
            self.refused.get_or_create(&Reason { method: method.name.clone(), reason, rule }).inc();
        }
    }
}

impl CallMeters {
    /// Meters for methods that are called, by their paths, and whether they are answered with one message; and for those
    /// that are called on streams, by their names.
    pub fn new<'a>(
        calls: impl IntoIterator<Item = (&'a str, bool)>,
        acts: impl IntoIterator<Item = &'static str>,
    ) -> Self {
        let families = Families {
            ended: Family::default(),
            refused: Family::default(),
            took: Family::new_with_constructor(|| Histogram::new(SECONDS)),
            under_way: Family::default(),
        };
        let call = |(path, is_timed): (&str, bool)| {
            let name = path.rsplit('/').next().unwrap_or(path).to_owned();
            (path.to_owned(), families.method(name, Over::Call, is_timed))
        };
        let act = |name| (name, families.method(name, Over::Act, true));
        let calls = calls.into_iter().map(call).collect();
        let acts = acts.into_iter().map(act).collect();
        let unknown = families.method(UNKNOWN, Over::Call, false);
        Self(Arc::new(Meters { calls, acts, unknown, families }))
    }

    /// A call of the method with this path begins.
    #[must_use]
    pub fn begin(&self, path: &str) -> CallUnderWay {
        let method = Arc::clone(self.0.calls.get(path).unwrap_or(&self.0.unknown));
        method.under_way.inc();
        CallUnderWay { meters: Arc::clone(&self.0), method, began: Stopwatch::start(), has_ended: false }
    }

    /// An action on an `Act` stream was answered: one that this method would have been called for, if there is one.
    pub fn acted(&self, method: Option<&'static str>, took: Duration, ending: Ending) {
        let method = method.and_then(|name| self.0.acts.get(name));
        self.0.families.count(method.unwrap_or(&self.0.unknown), took, ending);
    }

    pub(super) fn register(&self, metrics: &mut Metrics) {
        let Families { ended, refused, took, under_way } = &self.0.families;
        metrics.register(names::CALLS, ended.clone());
        metrics.register(names::CALLS_REFUSED, refused.clone());
        metrics.register(names::CALL_SECONDS, took.clone());
        metrics.register(names::CALLS_UNDER_WAY, under_way.clone());
    }
}

/// A call that is under way. One that is dropped before it has ended was given up by its caller.
#[derive(Debug)]
pub struct CallUnderWay {
    meters: Arc<Meters>,
    method: Arc<Method>,
    began: Stopwatch,
    has_ended: bool,
}

impl CallUnderWay {
    /// The method, as it is called in metrics.
    #[must_use]
    pub fn method(&self) -> &str {
        &self.method.name
    }

    /// The call has ended.
    pub fn end(mut self, ending: Ending) {
        self.note(ending);
    }

    fn note(&mut self, ending: Ending) {
        self.has_ended = true;
        self.method.under_way.dec();
        self.meters.families.count(&self.method, self.began.elapsed(), ending);
    }
}

impl Drop for CallUnderWay {
    fn drop(&mut self) {
        if !self.has_ended {
            self.note(Ending::given_up());
        }
    }
}

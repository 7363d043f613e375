//! The executor as one caller may use it. Everything that names a match goes through here: to whom a match does not
//! concern, it looks like one that is not there.

use std::sync::Arc;

use chaquete_proto::{access::Role, v1};
use chaquete_rules::{BySeat, Seat};
use tonic::{Extensions, Request};

use crate::{
    access::Caller,
    exchange::Told,
    execute::{Call, Creation, Done, Executor, Failure, Import},
    name::{DEFAULT_TENANT, MatchName},
    status::Error,
    store::{Comparison, Filter, ListQuery},
    table::Table,
    wire::{
        command::{By, Head},
        words,
    },
};

/// The executor, and for whom it works.
#[derive(Clone)]
pub(super) struct Visit {
    executor: Executor,
    caller: Arc<Caller>,
}

impl Visit {
    /// The executor for whoever has sent a request.
    pub(super) fn new<T>(executor: &Executor, request: &Request<T>) -> Self {
        Self { executor: executor.clone(), caller: caller(request.extensions()) }
    }

    /// The same for a task that is given an executor of its own.
    pub(super) fn with(&self, executor: Executor) -> Self {
        Self { executor, caller: Arc::clone(&self.caller) }
    }

    pub(super) fn caller(&self) -> &Caller {
        &self.caller
    }

    /// For what is not asked for by name: what belongs to a match that was loaded here.
    pub(super) const fn executor(&self) -> &Executor {
        &self.executor
    }

    /// The match of this name.
    pub(super) async fn load(&self, name: &MatchName) -> Result<Arc<Table>, Error> {
        self.check_name(name)?;
        let table = self.executor.load(name).await?;
        if self.caller.sees(&table) { Ok(table) } else { Err(Failure::NotFound(name.clone()).into()) }
    }

    pub(super) async fn act(&self, call: Call) -> Result<Done, Error> {
        self.check_name(&call.name)?;
        Ok(self.executor.act(call).await?)
    }

    pub(super) async fn consider(&self, call: Call) -> Result<Arc<Table>, Error> {
        self.check_name(&call.name)?;
        Ok(self.executor.consider(call).await?)
    }

    pub(super) async fn create(&self, creation: Creation) -> Result<Done, Error> {
        self.check_tenant(&creation.name.tenant)?;
        Ok(self.executor.create(creation).await?)
    }

    pub(super) async fn consider_creation(&self, creation: Creation) -> Result<Arc<Table>, Error> {
        self.check_tenant(&creation.name.tenant)?;
        Ok(self.executor.consider_creation(creation).await?)
    }

    pub(super) async fn import(&self, import: Import, told: Told) -> Result<Done, Error> {
        self.check_tenant(&import.name.tenant)?;
        Ok(self.executor.import(import, told).await?)
    }

    /// Whether the caller has to do with a tenant.
    pub(super) fn check_tenant(&self, tenant: &str) -> Result<(), Error> {
        let is_known = self.caller.knows(tenant);
        if is_known { Ok(()) } else { Err(Error::NotFound(format!("tenants/{tenant}"))) }
    }

    /// Whether the caller may see a match of this name. Of players who is one shows only once it is loaded.
    pub(super) fn check_name(&self, name: &MatchName) -> Result<(), Error> {
        if self.caller.may_ask_for(name) { Ok(()) } else { Err(Failure::NotFound(name.clone()).into()) }
    }

    /// A list of what the caller sees: `-` is all tenants that the caller knows, for operators; players see what they play in.
    pub(super) fn narrow(
        &self,
        tenant: String,
        mut query: ListQuery,
        method: &str,
    ) -> Result<ListQuery, Error> {
        query.tenant = match tenant.as_str() {
            "-" if matches!(*self.caller, Caller::Operator { .. }) => None,
            // Where nobody is asked, all tenants are the one that there is.
            "-" if *self.caller == Caller::Local => Some(DEFAULT_TENANT.to_owned()),
            "-" => return Err(self.denied(method)),
            _ => {
                self.check_tenant(&tenant)?;
                Some(tenant)
            }
        };
        if let Some(subject) = self.only_subject(method)? {
            let plays = Filter::Is(Comparison::Player(subject.to_owned()));
            query.filter = Filter::all(vec![plays, query.filter]);
        }
        Ok(query)
    }

    /// The subject whose matches alone the caller sees; `None`: it sees all of its tenant. A token for one match lists
    /// nothing.
    pub(super) fn only_subject(&self, method: &str) -> Result<Option<&str>, Error> {
        match &*self.caller {
            Caller::Player(player) if player.only.is_some() => Err(self.denied(method)),
            Caller::Player(player) => Ok(Some(&player.subject)),
            _ => Ok(None),
        }
    }

    /// Who asks for an action, once it is known that the caller may act for the seat that it names.
    pub(super) async fn acting(&self, head: Head<'_>) -> Result<By<'_>, Error> {
        let by = By { caller: &self.caller, seat: None };
        let name = MatchName::parse(head.name).filter(|_| self.caller.role() == Role::Player);
        // Whoever reads the request says what is wrong with the name.
        let Some(name) = name else { return Ok(by) };
        let held = self.caller.held(&*self.load(&name).await?);
        let Some(held) = held else { return Ok(by) };
        match v1::Seat::try_from(head.seat).ok().and_then(words::read_seat) {
            Some(seat) if !held[seat] => Err(Error::SeatNotHeld(seat)),
            _ => Ok(By { seat: only_seat(held), ..by }),
        }
    }

    fn denied(&self, method: &str) -> Error {
        Error::AccessDenied { method: method.to_owned(), role: self.caller.role() }
    }
}

/// Who has sent a request. Who was asked by nobody has shown nothing.
fn caller(extensions: &Extensions) -> Arc<Caller> {
    extensions.get::<Arc<Caller>>().cloned().unwrap_or_else(|| Arc::new(Caller::Anonymous))
}

/// The only seat that is held; `None`: both, or none.
fn only_seat(held: BySeat<bool>) -> Option<Seat> {
    match (held.one, held.two) {
        (true, false) => Some(Seat::One),
        (false, true) => Some(Seat::Two),
        _ => None,
    }
}

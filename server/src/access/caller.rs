//! Who calls, and what the contract and that one's credentials let it do.

use std::collections::BTreeSet;

use chaquete_proto::access::{Idempotency, Method, Role};
use chaquete_rules::{BySeat, Seat};

use crate::{
    log::{Actor, ActorKind},
    name::{DEFAULT_TENANT, MatchName},
    store::Scope,
    table::Table,
};

/// Who calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caller {
    /// Anybody on the machine of a server that asks nobody who they are. May do everything in the one tenant.
    Local,
    /// Somebody who has shown nothing.
    Anonymous,
    /// A player with a token.
    Player(Player),
    /// Somebody with a token to watch a match.
    Spectator {
        /// What its tenant calls that person.
        subject: String,
        /// The one match that it sees.
        only: MatchName,
    },
    /// A backend with a service key.
    Backend(Backend),
    /// An operator with a key.
    Operator {
        /// What the key is called in logs.
        key: String,
    },
}

/// A player with a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// Whose player that is.
    pub tenant: String,
    /// What the tenant calls that person.
    pub subject: String,
    /// The one match that the token is for, if it is for one.
    pub only: Option<MatchName>,
}

/// A backend with a service key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backend {
    /// Its tenant.
    pub tenant: String,
    /// What the key is called in logs.
    pub key: String,
    /// What it may do.
    pub scopes: BTreeSet<Scope>,
}

impl Player {
    fn sees(&self, name: &MatchName) -> bool {
        name.tenant == self.tenant && self.only.as_ref().is_none_or(|only| only == name)
    }
}

impl Caller {
    /// What the contract calls it. [`Caller::Local`] has every role.
    #[must_use]
    pub const fn role(&self) -> Role {
        match self {
            Self::Local | Self::Backend(_) => Role::Backend,
            Self::Anonymous => Role::Public,
            Self::Player(_) => Role::Player,
            Self::Spectator { .. } => Role::Spectator,
            Self::Operator { .. } => Role::Operator,
        }
    }

    /// Whether it may call a method at all.
    #[must_use]
    pub fn may_call(&self, method: &Method) -> bool {
        match self {
            Self::Local => true,
            Self::Backend(backend) => {
                method.allows(Role::Public)
                    || method.allows(Role::Backend) && backend.scopes.contains(&scope_of(method))
            }
            _ => method.allows(self.role()),
        }
    }

    /// The tenant that it belongs to.
    #[must_use]
    pub fn tenant(&self) -> Option<&str> {
        match self {
            Self::Player(player) => Some(&player.tenant),
            Self::Spectator { only, .. } => Some(&only.tenant),
            Self::Backend(backend) => Some(&backend.tenant),
            Self::Local | Self::Anonymous | Self::Operator { .. } => None,
        }
    }

    /// A person, as its tenant and subject.
    #[must_use]
    pub fn person(&self) -> Option<(&str, &str)> {
        match self {
            Self::Player(player) => Some((&player.tenant, &player.subject)),
            Self::Spectator { subject, only } => Some((&only.tenant, subject)),
            Self::Local | Self::Anonymous | Self::Backend(_) | Self::Operator { .. } => None,
        }
    }

    /// What the key of a backend or operator is called.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        match self {
            Self::Backend(Backend { key, .. }) | Self::Operator { key } => Some(key),
            Self::Local | Self::Anonymous | Self::Player(_) | Self::Spectator { .. } => None,
        }
    }

    /// Whether it has to do with a tenant. To all others a tenant that is there looks like one that is not.
    #[must_use]
    pub fn knows(&self, tenant: &str) -> bool {
        match self {
            Self::Local => tenant == DEFAULT_TENANT,
            Self::Anonymous => false,
            Self::Player(player) => player.tenant == tenant,
            Self::Spectator { only, .. } => only.tenant == tenant,
            Self::Backend(backend) => backend.tenant == tenant,
            Self::Operator { .. } => true,
        }
    }

    /// Whether it may see a match of this name, if there is one and it [sees](Self::sees) it.
    #[must_use]
    pub fn may_ask_for(&self, name: &MatchName) -> bool {
        match self {
            Self::Player(player) => player.sees(name),
            Self::Spectator { only, .. } => only == name,
            _ => self.knows(&name.tenant),
        }
    }

    /// Whether it sees a match: players only those that they play in.
    #[must_use]
    pub fn sees(&self, table: &Table) -> bool {
        let plays = |seats: BySeat<bool>| seats.one || seats.two;
        self.may_ask_for(&table.name) && self.held(table).is_none_or(plays)
    }

    /// The seats for which it may act; `None`: for whichever it names.
    #[must_use]
    pub fn held(&self, table: &Table) -> Option<BySeat<bool>> {
        let Self::Player(Player { subject, .. }) = self else { return None };
        let players = &table.state.terms().players;
        Some(BySeat::new(players.one == *subject, players.two == *subject))
    }

    /// What the log says of who acted for a seat, or for none. Only those act whom the contract lets.
    #[must_use]
    pub fn actor(&self, seat: Option<Seat>) -> Actor {
        let (kind, subject) = match self {
            Self::Player(player) => (ActorKind::Player, player.subject.as_str()),
            Self::Operator { key } => (ActorKind::Operator, key.as_str()),
            Self::Backend(backend) => (ActorKind::Backend, backend.key.as_str()),
            Self::Local | Self::Anonymous | Self::Spectator { .. } => (ActorKind::Backend, ""),
        };
        Actor { kind, seat, subject: subject.to_owned() }
    }
}

/// The scope that a backend needs for a method.
fn scope_of(method: &Method) -> Scope {
    match (method.path.as_str(), method.idempotency) {
        (ISSUE_TOKEN | REVOKE_TOKENS, _) => Scope::Tokens,
        (_, Idempotency::NoSideEffects) => Scope::Read,
        _ => Scope::Write,
    }
}

const ISSUE_TOKEN: &str = "/backgammon.v1.MatchService/IssueToken";
const REVOKE_TOKENS: &str = "/backgammon.v1.MatchService/RevokeTokens";

#[cfg(test)]
mod tests {
    use chaquete_proto::access::AccessTable;

    use super::*;

    #[test]
    fn every_method_needs_a_scope_and_only_two_give_tokens() {
        let table = AccessTable::load().unwrap();
        let needs = |scope| table.iter().filter(move |method| scope_of(method) == scope).count();
        assert_eq!(needs(Scope::Tokens), 2);
        assert!(needs(Scope::Read) > 10 && needs(Scope::Write) > 10);
        let acts = table.get("/backgammon.v1.PlayService/Act").unwrap();
        assert_eq!(scope_of(acts), Scope::Write);
    }

    #[test]
    fn a_scope_opens_nothing_else() {
        let table = AccessTable::load().unwrap();
        for scope in [Scope::Read, Scope::Write, Scope::Tokens] {
            let scopes = BTreeSet::from([scope]);
            let backend = Caller::Backend(Backend { tenant: "t".into(), key: "k".into(), scopes });
            for method in table.iter() {
                let expected =
                    method.allows(Role::Public) || method.allows(Role::Backend) && scope_of(method) == scope;
                assert_eq!(backend.may_call(method), expected, "{scope:?} {}", method.path);
            }
        }
    }
}

//! Contributing to committed dice: what is awaited of whom, what it causes, and what it makes of the match.

use crate::{
    Action, Awaited, Contribution, Contributor, DiceCommitment, Entropy, Event, Match, MatchEndReason,
    Moment, PhaseKind, Refusal, decide::Draft, evolve::OutOfOrder,
};

impl Match {
    /// What others have contributed to the present epoch of the dice, or are to contribute to the next; `None`: nobody
    /// does.
    #[must_use]
    pub const fn entropy(&self) -> Option<&Entropy> {
        self.entropy.as_ref()
    }

    /// What the dice await of a contributor before they can be rolled.
    #[must_use]
    pub fn awaits(&self, by: Contributor) -> Option<Awaited> {
        let entropy = self.entropy.filter(|_| self.result.is_none())?;
        let includes = self.terms.dice.contributing().is_some_and(|contributing| contributing.includes(by));
        match (self.has_committed(&entropy), entropy.commitments[by], entropy.openings[by]) {
            _ if !includes => None,
            (false, None, _) => Some(Awaited::Commitment),
            (true, _, None) => Some(Awaited::Opening),
            _ => None,
        }
    }

    /// Whether the dice cannot be rolled before somebody has contributed: the game waits for it.
    #[must_use]
    pub fn awaits_entropy(&self) -> bool {
        let all = self.entropy.zip(self.terms.dice.contributing());
        self.result.is_none()
            && all.is_some_and(|(entropy, contributing)| !entropy.all_have_opened(contributing))
    }

    /// Whether the server has committed to the epoch of these contributions.
    pub(crate) fn has_committed(&self, entropy: &Entropy) -> bool {
        self.commitment.as_ref().is_some_and(|commitment| commitment.epoch == entropy.epoch)
    }

    /// Whether contributions are missing, and it is too late for them.
    #[must_use]
    pub fn contributions_are_late(&self, now: Moment) -> bool {
        let deadline = self.entropy.filter(|_| self.result.is_none()).and_then(|entropy| entropy.deadline);
        deadline.is_some_and(|deadline| now >= deadline)
    }

    /// Whether somebody may contribute now, as far as it is not a matter of what.
    pub(crate) fn may_contribute(&self, by: Contributor, now: Moment) -> Result<(), Refusal> {
        if self.paused {
            return Err(Refusal::MatchPaused);
        }
        match self.awaits(by) {
            None => Err(Refusal::NotAwaited { by, awaited: None }),
            Some(_) => self.is_in_time(now),
        }
    }

    /// While the dice are awaited, players can contribute to them and be ready, and nothing else.
    pub(crate) fn may_before_dice(&self, action: Action) -> Result<(), Refusal> {
        match action {
            Action::MarkReady | Action::ContributeEntropy => Ok(()),
            _ if self.awaits_entropy() => Err(Refusal::WrongPhase { action, phase: PhaseKind::Waiting }),
            _ => Ok(()),
        }
    }

    /// Contributions to an epoch are awaited from now on.
    pub(crate) fn await_epoch(&mut self, epoch: u32, now: Moment) {
        if let Some(contributing) = self.terms.dice.contributing() {
            // What the creator committed to beforehand is for the first epoch only: it is known after that.
            let creator = contributing.creator().filter(|_| epoch == 0);
            self.entropy = Some(Entropy::new(epoch, creator, None));
            self.let_time_run(now);
        }
    }

    /// From now on whoever contributes has the whole time again.
    pub(crate) fn let_time_run(&mut self, now: Moment) {
        let runs = self.awaits_entropy() && !self.paused;
        let timeout =
            self.terms.dice.contributing().filter(|_| runs).map(|contributing| contributing.timeout());
        if let Some(entropy) = &mut self.entropy {
            entropy.deadline = timeout.map(|timeout| now.saturating_add(timeout));
        }
    }
}

impl Draft<'_> {
    pub(crate) fn contribute(&mut self, by: Contributor, contribution: Contribution) -> Result<(), Refusal> {
        self.state.may_contribute(by, self.now)?;
        match (self.state.awaits(by), contribution) {
            (Some(Awaited::Commitment), Contribution::Commitment(commitment)) => {
                self.push(Event::EntropyCommitted { by, commitment });
                self.commit_epoch();
                Ok(())
            }
            (Some(Awaited::Opening), Contribution::Opening(opening)) => {
                self.check_opening(by, &opening)?;
                self.push(Event::EntropyOpened { by, opening });
                self.open_game();
                Ok(())
            }
            (awaited, _) => Err(Refusal::NotAwaited { by, awaited }),
        }
    }

    fn check_opening(&self, by: Contributor, opening: &[u8; 32]) -> Result<(), Refusal> {
        let commitment = self.state.entropy.and_then(|entropy| entropy.commitments[by]);
        match (self.cup, commitment) {
            (Some(cup), Some(commitment)) if cup.opens(by, &commitment, opening) => Ok(()),
            _ => Err(Refusal::WrongOpening { by }),
        }
    }

    /// The server commits once all others have, and before anything is opened.
    pub(crate) fn commit_epoch(&mut self) {
        let (Some(entropy), Some(contributing)) = (self.state.entropy, self.state.terms.dice.contributing())
        else {
            return;
        };
        if entropy.all_have_committed(contributing)
            && let Some(commitment) = self.cup.and_then(|cup| cup.commit(entropy.epoch, &entropy.commitments))
        {
            self.push(Event::DiceCommitted(Box::new(commitment)));
        }
    }

    /// Without all contributions there are no dice, and so no match: nothing takes their place in silence.
    pub(crate) fn cancel_late(&mut self) {
        let missing = |by| self.state.awaits(by).map(|awaited| format!("the {awaited} of {by}"));
        let missing: Vec<_> = Contributor::ALL.into_iter().filter_map(missing).collect();
        let why = format!("contributions to the dice are missing: {}", missing.join(", "));
        self.end_match(None, MatchEndReason::Cancelled, &why);
    }
}

/// A contribution is committed to or opened, as it is awaited.
pub(crate) fn contributed(
    state: &mut Match,
    by: Contributor,
    contribution: Contribution,
) -> Result<(), OutOfOrder> {
    let awaited = state.awaits(by);
    match (&mut state.entropy, awaited, contribution) {
        (Some(entropy), Some(Awaited::Commitment), Contribution::Commitment(commitment)) => {
            entropy.commitments[by] = Some(commitment);
        }
        (Some(entropy), Some(Awaited::Opening), Contribution::Opening(opening)) => {
            entropy.openings[by] = Some(opening);
        }
        _ => return Err(OutOfOrder { because: "a contribution to the dice that is not awaited" }),
    }
    if !state.awaits_entropy()
        && let Some(entropy) = &mut state.entropy
    {
        entropy.deadline = None;
    }
    Ok(())
}

/// The server commits to a chain of dice.
pub(crate) fn committed(state: &mut Match, commitment: &DiceCommitment) -> Result<(), OutOfOrder> {
    if let Some((entropy, contributing)) = state.entropy.zip(state.terms.dice.contributing()) {
        let is_due = entropy.all_have_committed(contributing) && !state.has_committed(&entropy);
        let own = entropy.commitments.0.map(Option::unwrap_or_default);
        if !is_due || commitment.epoch != entropy.epoch || commitment.commitments != own {
            return Err(OutOfOrder { because: "dice committed to other contributions than there are" });
        }
    }
    state.commitment = Some(commitment.clone());
    state.rolls = 0;
    Ok(())
}

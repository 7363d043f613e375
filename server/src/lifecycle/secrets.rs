//! Which secrets a server works with: from the files that were named, else from beside the database.

use std::path::PathBuf;

use super::{StartError, tls};
use crate::{access::TokenKeys, checkpoint::LogKeys, config::Config, dice::DiceKeys, store};

/// The secrets of the dice: from the file that was named, else from one beside the database. A store that
/// forgets its matches can forget their secret too.
pub(super) fn dice_keys(config: &Config, has_matches: bool) -> Result<DiceKeys, StartError> {
    Ok(match (&config.dice_key_file, store::file_of(&config.store)) {
        (Some(file), _) => DiceKeys::read(file)?,
        (None, _) if store::is_shared(&config.store) => return Err(StartError::NoDiceKey),
        (None, Some(database)) => {
            let file = database.with_added_extension("dice-key");
            if has_matches && !file.exists() {
                tracing::warn!(
                    file = %file.display(),
                    "the dice key is gone and a new one is made: matches that committed to the old one cannot \
                     roll until it is back (put its line below the new one)"
                );
            }
            DiceKeys::read_or_make(&file)?
        }
        (None, None) => DiceKeys::generate()?,
    })
}

/// The keys that sign checkpoints: likewise.
pub(super) fn log_keys(config: &Config) -> Result<LogKeys, StartError> {
    Ok(match (&config.log_key, store::file_of(&config.store)) {
        (Some(file), _) => LogKeys::read(file)?,
        (None, _) if store::is_shared(&config.store) => return Err(StartError::NoLogKey),
        (None, Some(database)) => LogKeys::read_or_make(&database.with_added_extension("log-key"))?,
        (None, None) => LogKeys::generate()?,
    })
}

/// The keys that sign tokens: likewise. Servers on one database can do without.
pub(super) fn token_keys(config: &Config) -> Result<Option<TokenKeys>, StartError> {
    Ok(match (&config.access.token_key, store::file_of(&config.store)) {
        (Some(file), _) => Some(TokenKeys::read(file)?),
        (None, _) if store::is_shared(&config.store) => None,
        (None, Some(database)) => Some(TokenKeys::read_or_make(&database.with_added_extension("token-key"))?),
        (None, None) => Some(TokenKeys::generate()?),
    })
}

/// What is not as it must be: secrets that should be named and are not, and those and certificates that are named and cannot
/// be used. Files that are not there are not looked at.
pub(crate) fn unfit(config: &Config) -> Vec<StartError> {
    let there = |file: &Option<PathBuf>| file.clone().filter(|file| file.exists());
    let dice = there(&config.dice_key_file).and_then(|file| DiceKeys::read(&file).err());
    let log = there(&config.log_key).and_then(|file| LogKeys::read(&file).err());
    let token = there(&config.access.token_key).and_then(|file| TokenKeys::read(&file).err());
    let tls = config.access.tls.as_ref().filter(|files| {
        let all = [Some(&files.certificates), Some(&files.key), files.client_authorities.as_ref()];
        all.into_iter().flatten().all(|file| file.exists())
    });
    let tls = tls.and_then(|files| tls::read(files, &[]).err());
    let mut wrong = unnamed(config);
    wrong.extend(dice.map(StartError::from));
    wrong.extend(log.map(StartError::from));
    wrong.extend(token.map(StartError::from));
    wrong.extend(tls.map(StartError::from));
    wrong
}

fn unnamed(config: &Config) -> Vec<StartError> {
    if !store::is_shared(&config.store) {
        return Vec::new();
    }
    let dice = config.dice_key_file.is_none().then_some(StartError::NoDiceKey);
    let log = config.log_key.is_none().then_some(StartError::NoLogKey);
    dice.into_iter().chain(log).collect()
}

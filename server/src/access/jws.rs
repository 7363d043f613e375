//! The cryptography of tokens: `ring`, as for TLS, and of all algorithms two, EdDSA and ES256.

use jsonwebtoken::{
    Algorithm, DecodingKey, EncodingKey,
    crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils},
    errors::{ErrorKind, Result},
    signature::{Error, Signer, Verifier},
};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ED25519, Ed25519KeyPair, UnparsedPublicKey, VerificationAlgorithm,
};

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: signer,
    verifier_factory: verifier,
    key_utils: KeyUtils::new_unimplemented(),
};

/// Lets tokens be signed and verified in this process.
pub(super) fn install() {
    // Who comes second installs the same.
    let _installed_already = PROVIDER.install_default();
}

/// Signs with an Ed25519 key, given as its 32 secret bytes.
struct Ed25519Signer(Ed25519KeyPair);

impl Signer<Vec<u8>> for Ed25519Signer {
    fn try_sign(&self, message: &[u8]) -> std::result::Result<Vec<u8>, Error> {
        Ok(self.0.sign(message).as_ref().to_vec())
    }
}

impl JwtSigner for Ed25519Signer {
    fn algorithm(&self) -> Algorithm {
        Algorithm::EdDSA
    }
}

fn signer(algorithm: &Algorithm, key: &EncodingKey) -> Result<Box<dyn JwtSigner>> {
    if *algorithm != Algorithm::EdDSA {
        return Err(ErrorKind::InvalidAlgorithm.into());
    }
    let pair = Ed25519KeyPair::from_seed_unchecked(key.as_bytes());
    Ok(Box::new(Ed25519Signer(pair.map_err(|_| ErrorKind::InvalidKeyFormat)?)))
}

struct PublicKey {
    algorithm: Algorithm,
    key: UnparsedPublicKey<Vec<u8>>,
}

impl Verifier<Vec<u8>> for PublicKey {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> std::result::Result<(), Error> {
        self.key.verify(message, signature).map_err(|_| Error::new())
    }
}

impl JwtVerifier for PublicKey {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>> {
    let with: &dyn VerificationAlgorithm = match algorithm {
        Algorithm::EdDSA => &ED25519,
        Algorithm::ES256 => &ECDSA_P256_SHA256_FIXED,
        _ => return Err(ErrorKind::InvalidAlgorithm.into()),
    };
    // A key of another kind must not be tried as one of this.
    if key.family() != algorithm.family() {
        return Err(ErrorKind::InvalidKeyFormat.into());
    }
    let key = UnparsedPublicKey::new(with, key.try_get_as_bytes()?.to_vec());
    Ok(Box::new(PublicKey { algorithm: *algorithm, key }))
}

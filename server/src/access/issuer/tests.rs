use std::{
    io::{Read as _, Write as _},
    net::TcpListener,
    sync::atomic::{AtomicI64, Ordering},
};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _},
};
use serde_json::{Value, json};

use super::*;

const NOW: Millis = 1_800_000_000_000;

struct Hand(AtomicI64);

impl Clock for Hand {
    fn now(&self) -> Millis {
        self.0.load(Ordering::SeqCst)
    }
}

/// Somebody who signs tokens, made without the library that reads them.
enum Signer {
    Ed(Ed25519KeyPair),
    Ec(EcdsaKeyPair, SystemRandom),
}

impl Signer {
    fn ed(seed: u8) -> Self {
        Self::Ed(Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).unwrap())
    }

    fn ec() -> Self {
        let random = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref(), &random);
        Self::Ec(pair.unwrap(), random)
    }

    fn algorithm(&self) -> &'static str {
        match self {
            Self::Ed(_) => "EdDSA",
            Self::Ec(..) => "ES256",
        }
    }

    fn jwk(&self, id: &str) -> Value {
        match self {
            Self::Ed(pair) => {
                json!({"kty": "OKP", "crv": "Ed25519", "kid": id, "x": base64(pair.public_key().as_ref())})
            }
            Self::Ec(pair, _) => {
                let (x, y) = pair.public_key().as_ref()[1..].split_at(32);
                json!({"kty": "EC", "crv": "P-256", "kid": id, "x": base64(x), "y": base64(y)})
            }
        }
    }

    fn sign(&self, header: &Value, claims: &Value) -> String {
        let message =
            format!("{}.{}", base64(header.to_string().as_bytes()), base64(claims.to_string().as_bytes()));
        let signature = match self {
            Self::Ed(pair) => pair.sign(message.as_bytes()).as_ref().to_vec(),
            Self::Ec(pair, random) => pair.sign(random, message.as_bytes()).unwrap().as_ref().to_vec(),
        };
        format!("{message}.{}", base64(&signature))
    }

    fn token(&self, id: &str, change: &Value) -> String {
        self.sign(&json!({"alg": self.algorithm(), "kid": id}), &claims(change))
    }
}

fn base64(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Claims that count, but for these changes; null takes one away.
fn claims(changes: &Value) -> Value {
    let mut claims = json!({
        "iss": "https://id.example", "aud": "chaquete", "sub": "u-7", "tenant": "club",
        "iat": NOW / 1_000 - 10, "exp": NOW / 1_000 + 600,
    });
    for (name, value) in changes.as_object().unwrap() {
        claims[name] = value.clone();
    }
    claims.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    claims
}

/// An issuer with this key set in a file.
fn issuer(folder: &tempfile::TempDir, keys: &[Value]) -> (Issuer, Arc<Hand>) {
    let path = folder.path().join("keys.json");
    std::fs::write(&path, json!({ "keys": keys }).to_string()).unwrap();
    let clock = Arc::new(Hand(AtomicI64::new(NOW)));
    (Issuer::new(config(KeySource::File(path)), clock.clone()), clock)
}

fn config(keys: KeySource) -> IssuerConfig {
    IssuerConfig {
        issuer: "https://id.example".to_owned(),
        audience: "chaquete".to_owned(),
        keys,
        tenant: None,
        roles: BTreeSet::from([IssuedRole::Player, IssuedRole::Spectator, IssuedRole::Backend]),
    }
}

#[tokio::test]
async fn both_algorithms_count() {
    let folder = tempfile::tempdir().unwrap();
    let (ed, ec) = (Signer::ed(1), Signer::ec());
    // Keys of others, for others, are passed over.
    let rsa = json!({"kty": "RSA", "kid": "r", "n": "AQAB", "e": "AQAB"});
    let odd = json!({"kty": "odd"});
    let (issuer, _) = issuer(&folder, &[odd, rsa, ed.jwk("ed"), ec.jwk("ec")]);
    for (signer, id) in [(&ed, "ed"), (&ec, "ec")] {
        let token = issuer.verify(&signer.token(id, &json!({}))).await.unwrap();
        let player = Player { tenant: "club".into(), subject: "u-7".into(), only: None };
        let expected = Token { caller: Caller::Player(player), issued: NOW - 10_000, expires: NOW + 600_000 };
        assert_eq!(token, expected);
        // The only key of its kind needs no name.
        let nameless = signer.sign(&json!({"alg": signer.algorithm()}), &claims(&json!({})));
        issuer.verify(&nameless).await.unwrap();
    }
    // A name of the other's key, and the other's algorithm.
    issuer.verify(&ed.token("ec", &json!({}))).await.unwrap_err();
    let lying = ed.sign(&json!({"alg": "ES256", "kid": "ed"}), &claims(&json!({})));
    issuer.verify(&lying).await.unwrap_err();
    let stranger = Signer::ed(9).token("ed", &json!({}));
    issuer.verify(&stranger).await.unwrap_err();
    for algorithm in ["none", "HS256", "RS256", "ES384"] {
        let header = json!({"alg": algorithm, "kid": "ed"});
        let refused = issuer.verify(&ed.sign(&header, &claims(&json!({})))).await;
        assert!(refused.is_err(), "{algorithm}");
    }
}

#[tokio::test]
async fn whom_a_token_is_for_and_when_is_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let ed = Signer::ed(1);
    let (issuer, _) = issuer(&folder, &[ed.jwk("ed")]);
    let now = NOW / 1_000;
    for (changes, counts) in [
        (json!({}), true),
        (json!({"aud": ["other", "chaquete"]}), true),
        (json!({"aud": "other"}), false),
        (json!({"aud": null}), false),
        (json!({"iss": "https://evil.example"}), false),
        (json!({"iss": null}), false),
        (json!({"exp": now}), false),
        (json!({"exp": now + 1}), true),
        (json!({"exp": null}), false),
        (json!({"exp": 1e300}), false),
        (json!({"exp": -1e300}), false),
        (json!({"exp": "tomorrow"}), false),
        (json!({"nbf": now + 60}), true),
        (json!({"nbf": now + 61}), false),
        (json!({"iat": now + 61}), false),
        (json!({"iat": null}), true),
        (json!({"sub": null}), false),
        (json!({"sub": ""}), false),
        (json!({"sub": "ü"}), false),
        (json!({"tenant": null}), false),
        (json!({"tenant": "Club"}), false),
        (json!({"role": "player"}), true),
        (json!({"role": "operator"}), false),
        (json!({"role": "king"}), false),
        (json!({"role": "spectator"}), false),
        (json!({"role": "spectator", "match": "tenants/club/matches/final"}), true),
        (json!({"match": "tenants/other/matches/final"}), false),
        (json!({"match": "final"}), false),
    ] {
        let verified = issuer.verify(&ed.token("ed", &changes)).await;
        assert_eq!(verified.is_ok(), counts, "{changes}: {verified:?}");
    }
    let backend = ed.token("ed", &json!({"role": "backend", "scope": "openid read tokens"}));
    let Caller::Backend(backend) = issuer.verify(&backend).await.unwrap().caller else { panic!("a backend") };
    assert_eq!((backend.tenant.as_str(), backend.key.as_str()), ("club", "u-7"));
    assert_eq!(backend.scopes, BTreeSet::from([Scope::Read, Scope::Tokens]));
}

#[tokio::test]
async fn an_issuer_may_be_of_one_tenant() {
    let folder = tempfile::tempdir().unwrap();
    let ed = Signer::ed(1);
    let (all, clock) = issuer(&folder, &[ed.jwk("ed")]);
    let config = IssuerConfig { tenant: Some("club".into()), ..IssuerConfig::clone(&all.config) };
    let issuer = Issuer::new(config, clock);
    for (tenant, counts) in [(json!("club"), true), (Value::Null, true), (json!("other"), false)] {
        let verified = issuer.verify(&ed.token("ed", &json!({ "tenant": tenant }))).await;
        assert_eq!(verified.is_ok(), counts, "{tenant}");
    }
}

#[tokio::test]
async fn new_keys_are_looked_for_but_not_at_any_time() {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (Signer::ed(1), Signer::ed(2));
    let (issuer, clock) = issuer(&folder, &[old.jwk("old")]);
    issuer.verify(&old.token("old", &json!({}))).await.unwrap();
    let text = json!({"keys": [new.jwk("new")]}).to_string();
    std::fs::write(folder.path().join("keys.json"), text).unwrap();
    // Whoever makes up names of keys does not make us look each time.
    issuer.verify(&new.token("new", &json!({}))).await.unwrap_err();
    clock.0.fetch_add(PAUSE, Ordering::SeqCst);
    issuer.verify(&new.token("new", &json!({}))).await.unwrap();
    issuer.verify(&old.token("old", &json!({}))).await.unwrap_err();
    // A key set that is gone leaves the one from before.
    std::fs::remove_file(folder.path().join("keys.json")).unwrap();
    clock.0.fetch_add(FRESH, Ordering::SeqCst);
    issuer.verify(&new.token("new", &json!({}))).await.unwrap();
}

/// Serves one answer over HTTP, and gives its URL.
fn serve(answer: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let (mut connection, _) = listener.accept().unwrap();
        let _asked = connection.read(&mut [0; 1_024]).unwrap();
        connection.write_all(answer.as_bytes()).unwrap();
    });
    format!("http://{address}/keys")
}

#[tokio::test]
async fn keys_come_over_http_and_from_nowhere_else() {
    let ed = Signer::ed(1);
    let clock: Arc<dyn Clock> = Arc::new(Hand(AtomicI64::new(NOW)));
    let set = json!({"keys": [ed.jwk("ed")]}).to_string();
    let answer = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{set}", set.len());
    let source: KeySource = serve(answer).parse().unwrap();
    let issuer = Issuer::new(config(source), Arc::clone(&clock));
    issuer.look().await.unwrap();
    issuer.verify(&ed.token("ed", &json!({}))).await.unwrap();

    let huge = "x".repeat(300_000);
    for answer in [
        "HTTP/1.1 500 Oh\r\ncontent-length: 0\r\n\r\n".to_owned(),
        "HTTP/1.1 302 There\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n".to_owned(),
        "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}".to_owned(),
        format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{huge}", huge.len()),
    ] {
        let issuer = Issuer::new(config(serve(answer.clone()).parse().unwrap()), Arc::clone(&clock));
        let words = issuer.look().await.unwrap_err().to_string();
        assert!(words.starts_with("the keys of the issuer cannot be had"), "{words}");
    }
}

#[test]
fn keys_are_not_read_over_lines_that_anybody_can_change() {
    for (text, is_source) in [
        ("keys.json", true),
        ("https://id.example/keys", true),
        ("http://127.0.0.1:80/keys", true),
        ("http://[::1]/keys", true),
        ("http://localhost:8080/keys", true),
        ("http://id.example/keys", false),
        ("http://127.0.0.1.evil.example/keys", false),
        ("http://localhost.evil.example/", false),
        ("http://localhost@evil.example/", false),
        ("ftp://id.example/keys", false),
    ] {
        assert_eq!(text.parse::<KeySource>().is_ok(), is_source, "{text}");
    }
}

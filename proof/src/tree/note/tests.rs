use super::*;

/// The example of the documentation of Go's `note` package, whose keys are known.
const TEXT: &str = "If you think cryptography is the answer to your problem,\n\
                    then you don't know what your problem is.\n";
const SIGNED: &str = "If you think cryptography is the answer to your problem,\n\
                      then you don't know what your problem is.\n\
                      \n\
                      — PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";
const VERIFIER: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const SECRET: &str = "AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz";

fn neumann() -> LogKey {
    let secret = STANDARD.decode(SECRET).unwrap();
    LogKey::new("PeterNeumann", secret[1..].try_into().unwrap()).unwrap()
}

fn verifier(seed: u8) -> VerifierKey {
    LogKey::new("example.com/log", [seed; 32]).unwrap().verifier()
}

#[test]
fn a_note_is_signed_as_others_sign_it() {
    assert_eq!(neumann().verifier().to_string(), VERIFIER);
    assert_eq!(Note::sign(TEXT.to_owned(), &[&neumann()]).to_string(), SIGNED);
}

#[test]
fn a_note_of_others_is_read_and_checked() {
    let (note, known): (Note, VerifierKey) = (SIGNED.parse().unwrap(), VERIFIER.parse().unwrap());
    assert_eq!((note.text(), note.to_string()), (TEXT, SIGNED.to_owned()));
    assert_eq!(note.signed_by(&[verifier(1), known.clone()]), Ok(vec![&known]));
    assert_eq!(note.signed_by(&[verifier(1)]), Err(Unsigned::Unknown));
}

#[test]
fn unknown_signatures_are_passed_over_and_forged_ones_are_not() {
    let [one, two] = [1, 2].map(|seed| LogKey::new("example.com/log", [seed; 32]).unwrap());
    let note = Note::sign("text\n".to_owned(), &[&one, &two]);
    assert_eq!(note.signed_by(&[verifier(2)]), Ok(vec![&verifier(2)]));
    assert_eq!(note.signed_by(&[verifier(2), verifier(1)]), Ok(vec![&verifier(1), &verifier(2)]));
    assert_eq!(note.led_by(&[verifier(2), verifier(1)]), Ok(&verifier(1)));
    assert_eq!(note.led_by(&[verifier(2)]), Err(Unsigned::Unknown));
    let mut forged = note.clone();
    forged.text = "test\n".to_owned();
    assert_eq!(forged.signed_by(&[verifier(1)]), Err(Unsigned::Forged(verifier(1).to_string())));
    let mut swapped = note;
    swapped.signatures[0].bytes = swapped.signatures[1].bytes.clone();
    assert!(matches!(swapped.signed_by(&[verifier(1), verifier(2)]), Err(Unsigned::Forged(_))));
    assert_eq!(swapped.signed_by(&[verifier(2)]), Ok(vec![&verifier(2)]));
}

/// From the specifications: notes of other keys, one of them with an empty line in its text.
#[test]
fn notes_of_the_specifications_are_read() {
    for note in [
        "Ognuno sta solo sul cuor della terra\ntrafitto da un raggio di sole:\n\ned è subito sera.\n\n\
         — quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=\n",
        "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n\
         — example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n",
    ] {
        let read: Note = note.parse().unwrap();
        assert_eq!(read.to_string(), note);
    }
}

#[test]
fn what_is_no_note_is_refused() {
    let signature = SIGNED.rsplit_once("\n\n").unwrap().1;
    for wrong in [
        String::new(),
        TEXT.to_owned(),
        format!("{TEXT}\n"),
        format!("{TEXT}{signature}"),
        SIGNED.trim_end().to_owned(),
        SIGNED.replace('—', "-"),
        SIGNED.replace("PeterNeumann", "Peter+Neumann"),
        SIGNED.replace("PeterNeumann ", " "),
        SIGNED.replace("you", "y\tou"),
        SIGNED.replace("BwJnAM=", "BwJnAM"),
        format!("{TEXT}\n— PeterNeumann x08gow==\n"),
        format!("{TEXT}\n{}", signature.repeat(17)),
    ] {
        assert_eq!(wrong.parse::<Note>(), Err(BadNote), "{wrong:?}");
    }
    assert!(format!("{TEXT}\n{}", signature.repeat(16)).parse::<Note>().is_ok());
}

#[test]
fn a_verifier_key_fits_its_hash() {
    for (wrong, because) in [
        (VERIFIER.replace("c74f", "c74e"), BadKey::Text),
        (VERIFIER.replace("c74f", "C74F"), BadKey::Text),
        (VERIFIER.replace("Neumann", "Neumans"), BadKey::Text),
        (VERIFIER.replace("+ARpc", "+AhpC"), BadKey::Text),
        (VERIFIER.replace("Neumann", " Neumann"), BadKey::Name),
        (VERIFIER.replace("PeterNeumann", ""), BadKey::Name),
        ("PeterNeumann".to_owned(), BadKey::Text),
    ] {
        assert_eq!(wrong.parse::<VerifierKey>(), Err(because), "{wrong}");
    }
    assert_eq!(LogKey::new("a b", [1; 32]).err(), Some(BadKey::Name));
    assert_eq!(format!("{:?}", neumann()), "LogKey { name: \"PeterNeumann\", .. }");
}

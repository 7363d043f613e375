//! Names, words, and what makes a picture fit for every page.

use chaquete_record::picture::{Picture, View, drawable};
use chaquete_rules::{BySeat, Seat};
use proptest::prelude::*;
use roxmltree::{Document, Node};

use super::drawn::Drawn;
use super::games::{picture, xgid};

fn named<'a>(one: &'a str, two: &'a str) -> Picture<'a> {
    let position = xgid("XGID=-b----E-C---eE---c-e----B-:1:-1:1:31:2:1:0:5:10");
    Picture { names: BySeat::new(one, two), ..picture(position, View::of(Seat::One)) }
}

#[test]
fn names_are_escaped() {
    let nasty = r#"<a href="x">&amp;'"]]><!--"#;
    let drawn = Drawn::of(&named(nasty, "</title><script>"));
    assert!(drawn.title.contains(nasty), "{}", drawn.title);
    assert!(drawn.description.contains(nasty) && drawn.description.contains("</title><script>"));
    assert_eq!(drawn.strip(2)[0], "</title><script>");
}

#[test]
fn what_xml_cannot_say_is_replaced() {
    let drawn = Drawn::of(&named("a\0b\u{b}c\u{ffff}d", "e\nf\tg"));
    assert!(drawn.title.contains("a\u{fffd}b\u{fffd}c\u{fffd}d"), "{:?}", drawn.title);
    assert!(drawn.description.contains("e f g has"), "{:?}", drawn.description);
}

#[test]
fn a_seat_without_a_name_is_called_by_its_number() {
    let drawn = Drawn::of(&named("", ""));
    assert_eq!((drawn.strip(1)[0], drawn.strip(2)[0]), ("Seat one", "Seat two"));
    assert_eq!(drawn.title, "Backgammon: Seat one to play 3-1");
}

#[test]
fn names_of_other_scripts_are_left_to_the_reader() {
    let texts = |picture: &Picture<'_>| {
        let svg = picture.svg();
        let document = Document::parse(&svg).unwrap();
        let nodes = document.descendants().filter(|node| node.tag_name().name() == "text");
        nodes.filter_map(|node| node.text().map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(texts(&named("王小明", "Zoë")), ["王小明"]);
    assert_eq!(texts(&named(&drawable("王小明"), "Žofie Łęcka")), [] as [&str; 0]);
    assert_eq!(drawable("王 X"), "□ X");
}

#[test]
fn the_position_is_told_in_words() {
    let position = xgid("XGID=a-BB-BC------BA-----ddcb--:1:1:-1:00:2:1:0:5:10");
    let drawn = Drawn::of(&picture(position, View::of(Seat::Two)));
    assert_eq!(drawn.title, "Backgammon: Bob to roll");
    assert_eq!(
        drawn.description,
        "Bob has the dark checkers, sits at the bottom, has won 1 point and has 74 pips to go: 1 on the bar, \
         4 on point 5, 4 on point 4, 3 on point 3, 2 on point 2, 1 borne off. \
         Alice has the light checkers, sits at the top, has won 2 points and has 78 pips to go: 1 on point 14, \
         2 on point 13, 3 on point 6, 2 on point 5, 2 on point 3, 2 on point 2, 3 borne off. \
         The cube is at 2, with Alice. 5-point match. Home boards are at the right."
    );
}

/// Everything that a picture may be made of.
const TAGS: [&str; 9] = ["svg", "title", "desc", "g", "rect", "circle", "path", "text", "svg"];

fn is_harmless(node: Node<'_, '_>) -> bool {
    let attributes = node.attributes().all(|attribute| {
        let (name, value) = (attribute.name(), attribute.value());
        let is_text_of_names = name == "data-text";
        !name.starts_with("on")
            && !["id", "class", "style", "href"].contains(&name)
            && (is_text_of_names || !value.contains("url("))
    });
    attributes && (!node.is_element() || TAGS.contains(&node.tag_name().name()))
}

#[test]
fn a_picture_has_no_scripts_styles_ids_and_references() {
    let svg = named("王<b>", "Bob").svg();
    let document = Document::parse(&svg).unwrap();
    assert!(document.descendants().all(is_harmless));
    assert!(!svg.contains("<!") && !svg.contains("<?"));
    let root = document.root_element();
    assert_eq!((root.attribute("role"), root.attribute("viewBox")), (Some("img"), Some("0 0 760 700")));
    let first: Vec<&str> =
        root.children().filter(Node::is_element).map(|node| node.tag_name().name()).collect();
    assert_eq!(first[..2], ["title", "desc"]);
}

#[test]
fn a_picture_stays_small_whatever_the_names_are() {
    let long = "x".repeat(1_000_000);
    let picture = named(&long, &long);
    // Title and description have the whole name.
    assert!(picture.svg().len() < 5 * long.len());
    assert!(Drawn::of(&picture).strip(1)[0].len() < 64);
}

proptest! {
    #[test]
    fn any_names_make_well_formed_pictures(one in any::<String>(), two in "\\PC*") {
        let picture = named(&one, &two);
        let svg = picture.svg();
        prop_assert!(Document::parse(&svg).is_ok());
        prop_assert_eq!(svg, picture.svg());
    }
}

//! The bytes that an OGXM file is made of.

/// An unsigned number, seven bits a byte, the lowest first.
pub(super) fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let low = (number & 0x7f) as u8;
        number >>= 7;
        if number == 0 {
            bytes.push(low);
            return bytes;
        }
        bytes.push(low | 0x80);
    }
}

/// A text with its length before it.
pub(super) fn string(text: &str) -> Vec<u8> {
    [varint(text.len() as u64), text.as_bytes().to_vec()].concat()
}

/// A record: its length, a mask of the fields that are there, what is always there, the fields.
#[derive(Default)]
pub(super) struct Record {
    mask: u64,
    body: Vec<u8>,
}

impl Record {
    /// A record with what is always there.
    pub(super) const fn new(body: Vec<u8>) -> Self {
        Self { mask: 0, body }
    }

    /// Puts a field behind those that are there, which have lower bits.
    pub(super) fn put(&mut self, bit: u32, field: &[u8]) {
        debug_assert!(self.mask >> bit == 0, "fields come in the order of their bits");
        self.mask |= 1 << bit;
        self.body.extend_from_slice(field);
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let mask = varint(self.mask);
        [varint((mask.len() + self.body.len()) as u64), mask, self.body.clone()].concat()
    }
}

/// What a reader must understand to read the file at all.
const CRITICAL: u8 = 1;
const MAJOR: u16 = 2;
const HEADER: usize = 16;
const SECTION_HEADER: usize = 9;
const END: &[u8] = b"END!";

/// A file with these sections and a checksum over them.
pub(super) fn file(minor: u16, sections: &[([u8; 4], Vec<u8>)]) -> Vec<u8> {
    let checksum = |sum: u32| {
        let algorithm = varint(0);
        Record::new([algorithm, varint(4), sum.to_le_bytes().to_vec()].concat()).bytes()
    };
    let sizes = sections.iter().map(|(_, payload)| SECTION_HEADER + payload.len()).sum::<usize>();
    let size = HEADER + sizes + SECTION_HEADER + checksum(0).len() + END.len();
    let mut bytes = b"OGXM".to_vec();
    for version in [MAJOR, minor, MAJOR, 0] {
        bytes.extend(version.to_le_bytes());
    }
    // Far below 4 GiB: the games are counted.
    bytes.extend((size as u32).to_le_bytes());
    for (name, payload) in sections {
        section(&mut bytes, *name, payload);
    }
    let sum = crc32(&bytes);
    section(&mut bytes, *b"CSUM", &checksum(sum));
    bytes.extend(END);
    bytes
}

fn section(bytes: &mut Vec<u8>, name: [u8; 4], payload: &[u8]) {
    bytes.extend(name);
    bytes.extend((payload.len() as u32).to_le_bytes());
    bytes.push(CRITICAL);
    bytes.extend(payload);
}

/// The checksum of IEEE 802.3.
fn crc32(bytes: &[u8]) -> u32 {
    let sum = bytes.iter().fold(u32::MAX, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg()))
    });
    !sum
}

//! Chaquete.

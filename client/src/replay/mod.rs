//! Playing recorded matches through the API.

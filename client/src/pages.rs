//! Lists that come in pages.

use std::collections::VecDeque;

use chaquete_proto::v1::{ListMatchEventsRequest, ListMatchesRequest, Match, MatchEvent};

use crate::{Client, Error};

/// A list that the server gives in pages, fetched as it is read.
#[derive(Debug)]
pub struct Pages<L: List> {
    client: Client,
    /// What asks for the next page; `None` after the last.
    next: Option<L>,
    read: VecDeque<L::Item>,
}

/// The matches of a list, page by page.
pub type Matches = Pages<ListMatchesRequest>;

/// The events of a match, page by page.
pub type Events = Pages<ListMatchEventsRequest>;

/// A request that lists something in pages.
pub trait List: sealed::Fetch {}

impl List for ListMatchesRequest {}
impl List for ListMatchEventsRequest {}

impl Client {
    /// All matches that a request names, from its `page_token` on.
    #[must_use]
    pub fn matches(&self, request: ListMatchesRequest) -> Matches {
        Pages::new(self, request)
    }

    /// All events of a match that are there, from the request's `after_revision` on.
    #[must_use]
    pub fn events(&self, request: ListMatchEventsRequest) -> Events {
        Pages::new(self, request)
    }
}

impl<L: List> Pages<L> {
    fn new(client: &Client, request: L) -> Self {
        Self { client: client.clone(), next: Some(request), read: VecDeque::new() }
    }

    /// The next item; `None` after the last. After an error the same page is asked for again.
    ///
    /// # Errors
    /// As the call that lists.
    pub async fn next(&mut self) -> Result<Option<L::Item>, Error> {
        // A page may be empty and yet not the last.
        while self.read.is_empty() {
            let Some(page) = self.next_page().await? else { return Ok(None) };
            self.read = page.into();
        }
        Ok(self.read.pop_front())
    }

    /// All items that are left.
    ///
    /// # Errors
    /// As the call that lists.
    pub async fn all(mut self) -> Result<Vec<L::Item>, Error> {
        let mut all = Vec::from(std::mem::take(&mut self.read));
        while let Some(page) = self.next_page().await? {
            all.extend(page);
        }
        Ok(all)
    }

    async fn next_page(&mut self) -> Result<Option<Vec<L::Item>>, Error> {
        let Some(request) = &self.next else { return Ok(None) };
        let (page, token) = request.fetch(&self.client).await?;
        self.next = self.next.take().filter(|_| !token.is_empty()).map(|request| request.at(token));
        Ok(Some(page))
    }
}

mod sealed {
    use super::{Client, Error, ListMatchEventsRequest, ListMatchesRequest, Match, MatchEvent};

    pub trait Fetch: Sized + Clone + Send + Sync {
        type Item: Send;

        /// The page and the token of the next one.
        fn fetch(
            &self,
            client: &Client,
        ) -> impl Future<Output = Result<(Vec<Self::Item>, String), Error>> + Send;

        fn at(self, page_token: String) -> Self;
    }

    impl Fetch for ListMatchesRequest {
        type Item = Match;

        async fn fetch(&self, client: &Client) -> Result<(Vec<Match>, String), Error> {
            let page = client.list_matches(self.clone()).await?;
            Ok((page.matches, page.next_page_token))
        }

        fn at(self, page_token: String) -> Self {
            Self { page_token, ..self }
        }
    }

    impl Fetch for ListMatchEventsRequest {
        type Item = MatchEvent;

        async fn fetch(&self, client: &Client) -> Result<(Vec<MatchEvent>, String), Error> {
            let page = client.list_match_events(self.clone()).await?;
            Ok((page.events, page.next_page_token))
        }

        fn at(self, page_token: String) -> Self {
            Self { page_token, ..self }
        }
    }
}

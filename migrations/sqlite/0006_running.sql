-- How many matches of a tenant run at once is limited; they are few among all that ever were.
CREATE INDEX matches_running ON matches (tenant) WHERE state = 'active';

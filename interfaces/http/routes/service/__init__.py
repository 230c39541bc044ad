"""The service itself: live streams, health, logins, the trail of calls."""

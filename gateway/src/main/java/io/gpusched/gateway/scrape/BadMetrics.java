package io.gpusched.gateway.scrape;

/// Metrics of a replica that cannot be read or cannot be true.
final class BadMetrics extends Exception {
    BadMetrics(String message) {
        super(message, null, false, false);
    }
}

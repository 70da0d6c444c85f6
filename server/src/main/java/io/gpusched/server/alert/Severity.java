package io.gpusched.server.alert;

import java.util.Locale;

/// How urgent an alert is.
public enum Severity {
    INFO,
    WARNING,
    CRITICAL;

    /// As the API and webhooks write it.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

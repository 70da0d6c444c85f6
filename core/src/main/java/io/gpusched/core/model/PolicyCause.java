package io.gpusched.core.model;

/// What made the scheduler change its policy.
public enum PolicyCause {
    /// An administrator's command.
    COMMAND,

    /// Another policy in the configuration file.
    CONFIGURATION,

    /// The promotion rule: the shadow policy was better for long enough.
    PROMOTION,

    /// The guard: the policy in force was late, invalid, or worse than the fallback policy.
    FALLBACK
}

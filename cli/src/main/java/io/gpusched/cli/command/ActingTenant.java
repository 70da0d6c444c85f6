package io.gpusched.cli.command;

/// The tenant that the user acts for.
///
/// @param requested the tenant given by option or environment; empty for none
/// @param hasToken whether requests carry a token
public record ActingTenant(String requested, boolean hasToken) {
    private static final String DEFAULT = "default";

    /// The tenant to submit for. Without a token it is `default`, which always exists. With a token
    /// it is the token's tenant, which only the server knows, so nothing is sent.
    String forSubmission() {
        return requested.isEmpty() && !hasToken ? DEFAULT : requested;
    }

    /// The tenant whose jobs to list; empty for all that the token may see.
    String forLists() {
        return requested;
    }
}

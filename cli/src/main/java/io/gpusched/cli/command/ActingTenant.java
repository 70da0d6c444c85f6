package io.gpusched.cli.command;

/// The tenant that the user acts for.
///
/// @param asked the tenant given by option or environment; empty for none
/// @param hasToken whether requests carry a token
public record ActingTenant(String asked, boolean hasToken) {
    private static final String DEFAULT = "default";

    /// The tenant to submit for. Without a token it is `default`, which always exists. With a token
    /// it is the token's tenant, which only the server knows, so nothing is sent.
    String forSubmission() {
        return asked.isEmpty() && !hasToken ? DEFAULT : asked;
    }

    /// The tenant whose jobs to list; empty for all that the token may see.
    String forLists() {
        return asked;
    }
}

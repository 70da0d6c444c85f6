package io.gpusched.cli.command;

/// For whom we act: the tenant that was asked for (empty for none), and whether we carry a token.
public record ActingTenant(String asked, boolean hasToken) {
    private static final String DEFAULT = "default";

    /// The tenant to submit for. Without a token that is the tenant `default`, which always exists;
    /// with one it is whoever the token belongs to, which only the server knows, so nothing is
    /// sent.
    String forSubmission() {
        return asked.isEmpty() && !hasToken ? DEFAULT : asked;
    }

    /// The tenant whose things to list: only one that was asked for narrows a list.
    String forLists() {
        return asked;
    }
}

package io.gpusched.server.agents;

/// Decides which agents may come in.
@FunctionalInterface
public interface JoinTokens {
    /// Lets everybody in, for a server that listens on its own machine only.
    JoinTokens OPEN = token -> true;

    /// @param token what the caller showed, or the empty text
    boolean admits(String token);
}

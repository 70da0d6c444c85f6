package io.gpusched.server.agents;

/// Decides which agents may join, by their token.
@FunctionalInterface
public interface JoinTokens {
    /// Admits every agent, for a server that listens only on its own machine.
    JoinTokens OPEN = token -> true;

    /// @param token the token that the agent sent; empty if it sent none
    boolean admits(String token);
}

package io.gpusched.server.auth;

import io.gpusched.server.config.Config;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.file.Files;
import java.nio.file.Path;

/// Which callers a server admits, and how often: the tokens it knows, the check of a caller's
/// token, and the rate limit.
///
/// @param rateLimit one for the REST and gRPC ports together, so that a caller cannot avoid it by
///        changing ports
public record Access(Tokens tokens, Authenticator authenticator, RateLimit rateLimit) {
    private static final Logger LOG = LoggerFactory.getLogger(Access.class);

    /// Reads the tokens in the data directory. The first start creates them.
    public static Access open(Config config) {
        Path adminFile = Tokens.adminFile(config.dataDir());
        boolean isFirst = !Files.exists(adminFile);
        Tokens tokens = Tokens.open(config.dataDir());
        if (isFirst && Files.exists(adminFile)) {
            LOG.info(
                    "created the administrator's token in {} and the agents' join token in {}",
                    adminFile,
                    Tokens.joinFile(config.dataDir()));
        }
        return new Access(
                tokens,
                new Authenticator(tokens, config.api().auth()),
                new RateLimit(config.api().rateLimit(), System::nanoTime));
    }

    /// Whether an agent with this token may join. An agent without a token has an empty one.
    public boolean mayJoin(String token) {
        Caller caller = authenticator.callerOf(token.isEmpty() ? null : "Bearer " + token);
        return caller instanceof Caller.Joiner || caller instanceof Caller.Admin;
    }
}

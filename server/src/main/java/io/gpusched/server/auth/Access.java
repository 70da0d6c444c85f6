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

    /// Reads the tokens in the data directory and those made elsewhere. The first start creates
    /// tokens, unless the administrator's was made elsewhere.
    public static Access open(Config config) {
        Path adminFile = Tokens.adminFile(config.dataDir());
        boolean isFirst = !Files.exists(adminFile);
        Tokens tokens = Tokens.open(config.dataDir(), GivenTokens.read(config.auth()));
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

    /// The file with a token of the administrator: the given one, or the one of the first start.
    public static Path adminFile(Config config) {
        Path given = config.auth().tokensDir().resolve(GivenTokens.ADMIN);
        return config.auth().hasTokens() && Files.exists(given)
                ? given
                : Tokens.adminFile(config.dataDir());
    }

    /// The file with a token for agents: the given one, or the one of the first start.
    public static Path joinFile(Config config) {
        Path given = config.auth().tokensDir().resolve(GivenTokens.AGENT);
        return config.auth().hasTokens() && Files.exists(given)
                ? given
                : Tokens.joinFile(config.dataDir());
    }

    /// Whether an agent with this token may join. An agent without a token has an empty one.
    public boolean mayJoin(String token) {
        Caller caller = authenticator.callerOf(token.isEmpty() ? null : "Bearer " + token);
        return caller instanceof Caller.Joiner || caller instanceof Caller.Admin;
    }
}

package io.gpusched.server.auth;

import io.gpusched.server.auth.Token.Kind;
import io.gpusched.server.config.AuthSection;
import io.gpusched.server.config.ConfigException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;

/// Tokens that were made elsewhere, for example as a Secret of Kubernetes. Each is the content of a
/// file; the name of the file says what the token is for. They are read once, at the start.
final class GivenTokens {
    static final String ADMIN = "admin-token";
    static final String AGENT = "agent-token";
    static final String GATEWAY = "gateway-token";

    static final GivenTokens NONE = new GivenTokens(List.of());

    /// 32 characters of a random token in hexadecimal are 128 bits.
    private static final int LEAST_LENGTH = 32;

    private record Given(Kind kind, String hash, Caller caller) {}

    private final List<Given> tokens;

    private GivenTokens(List<Given> tokens) {
        this.tokens = tokens;
    }

    /// Throws a [ConfigException] that names the file, if there is no usable token.
    static GivenTokens read(AuthSection auth) {
        if (!auth.hasTokens()) {
            return NONE;
        }
        Path directory = auth.tokensDir();
        var found = new ArrayList<Given>();
        add(found, directory.resolve(ADMIN), Kind.ADMIN, new Caller.Admin("admin/" + ADMIN));
        add(found, directory.resolve(AGENT), Kind.JOIN, new Caller.Joiner(AGENT));
        add(found, directory.resolve(GATEWAY), Kind.GATEWAY, new Caller.Gateway(GATEWAY));
        if (found.isEmpty()) {
            throw new ConfigException(
                    "auth.tokens_dir: expected a file %s, %s or %s in %s, found none"
                            .formatted(ADMIN, AGENT, GATEWAY, directory));
        }
        if (found.stream().map(Given::hash).distinct().count() < found.size()) {
            throw new ConfigException(
                    "auth.tokens_dir: expected a token of its own in each file of %s, found one twice"
                            .formatted(directory));
        }
        return new GivenTokens(List.copyOf(found));
    }

    private static void add(List<Given> found, Path file, Kind kind, Caller caller) {
        if (!Files.exists(file)) {
            return;
        }
        String text = content(file);
        if (text.length() < LEAST_LENGTH || text.chars().anyMatch(Character::isWhitespace)) {
            throw new ConfigException(
                    "auth.tokens_dir: expected one token of at least %d characters in %s, found %d characters. Make one with: openssl rand -hex 32"
                            .formatted(LEAST_LENGTH, file, text.length()));
        }
        found.add(new Given(kind, Tokens.hash(text), caller));
    }

    private static String content(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new ConfigException(
                    "auth.tokens_dir: expected a readable text file at %s, found %s"
                            .formatted(file, e),
                    e);
        }
    }

    boolean has(Kind kind) {
        return tokens.stream().anyMatch(token -> token.kind == kind);
    }

    /// The caller with the token `text`; null if it is none of these.
    @Nullable Caller callerOf(String text) {
        if (tokens.isEmpty()) {
            return null;
        }
        byte[] hash = Tokens.hash(text).getBytes(StandardCharsets.US_ASCII);
        for (Given token : tokens) {
            if (MessageDigest.isEqual(hash, token.hash.getBytes(StandardCharsets.US_ASCII))) {
                return token.caller;
            }
        }
        return null;
    }
}

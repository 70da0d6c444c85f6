package io.gpusched.server.auth;

import io.gpusched.server.auth.Token.Kind;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// All tokens that the server accepts. They are kept in a file that is replaced as a whole when a
/// token is created or revoked. A look-up takes no lock; a revoked token is invalid from the next
/// request on. Tokens that were made elsewhere ([GivenTokens]) are valid beside them, and cannot be
/// revoked here.
public final class Tokens {
    /// A new token: what the server keeps, and the text, which is shown only once.
    public record Minted(Token token, String text) {}

    private static final int SECRET_BYTES = 32;

    private final TokenFile file;
    private final GivenTokens given;
    private final SecureRandom random = new SecureRandom();
    private volatile Map<String, Token> byId;

    private Tokens(TokenFile file, GivenTokens given) {
        this.file = file;
        this.given = given;
        this.byId = index(file.read());
    }

    /// Opens the tokens in `dataDir`. The first time it creates one for the administrator and one
    /// for agents, and writes their texts to files that only their owner can read.
    public static Tokens open(Path dataDir) {
        return open(dataDir, GivenTokens.NONE);
    }

    /// Like [#open(Path)], but creates no first token where `given` has one.
    static Tokens open(Path dataDir, GivenTokens given) {
        var file = new TokenFile(dataDir.resolve("tokens"));
        var tokens = new Tokens(file, given);
        if (!file.exists()) {
            var first = new ArrayList<Token>();
            if (!given.has(Kind.ADMIN)) {
                first.add(tokens.leave(Kind.ADMIN, adminFile(dataDir)));
            }
            if (!given.has(Kind.JOIN)) {
                first.add(tokens.leave(Kind.JOIN, joinFile(dataDir)));
            }
            // Written last: a server that stops before this creates new tokens at its next start.
            tokens.keep(first);
        }
        return tokens;
    }

    private Token leave(Kind kind, Path path) {
        Minted minted = made(kind, "");
        file.leave(path, minted.text());
        return minted.token();
    }

    /// The file with the administrator's first token.
    public static Path adminFile(Path dataDir) {
        return dataDir.resolve("admin-token");
    }

    /// The file with the agents' first join token.
    public static Path joinFile(Path dataDir) {
        return dataDir.resolve("agent-token");
    }

    public synchronized Minted mint(Kind kind, String subject) {
        Minted minted = made(kind, subject);
        var all = new ArrayList<>(byId.values());
        all.add(minted.token());
        keep(all);
        return minted;
    }

    private Minted made(Kind kind, String subject) {
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(secret);
        String id = "tok-" + HexFormat.of().toHexDigits(random.nextLong()).substring(0, 12);
        String text = Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
        var token =
                new Token(
                        id,
                        kind,
                        subject,
                        hash(text),
                        Instant.now().truncatedTo(ChronoUnit.SECONDS));
        return new Minted(token, id + "." + text);
    }

    /// Revokes every token that matches `unwanted` and returns their number.
    public synchronized int revoke(Predicate<Token> unwanted) {
        var rest = new ArrayList<>(byId.values());
        int before = rest.size();
        rest.removeIf(unwanted);
        if (rest.size() < before) {
            keep(rest);
        }
        return before - rest.size();
    }

    public List<Token> matching(Predicate<Token> wanted) {
        return byId.values().stream().filter(wanted).toList();
    }

    /// The caller with the token `text`; null if the token is unknown.
    public @Nullable Caller callerOf(String text) {
        int dot = text.indexOf('.');
        Token token = dot < 0 ? null : byId.get(text.substring(0, dot));
        if (token == null) {
            return given.callerOf(text);
        }
        boolean right =
                MessageDigest.isEqual(
                        hash(text.substring(dot + 1)).getBytes(StandardCharsets.US_ASCII),
                        token.hash().getBytes(StandardCharsets.US_ASCII));
        return right ? token.caller() : null;
    }

    private void keep(List<Token> all) {
        file.write(all);
        byId = index(all);
    }

    private static Map<String, Token> index(List<Token> all) {
        var index = new LinkedHashMap<String, Token>();
        all.forEach(token -> index.put(token.id(), token));
        return index;
    }

    static String hash(String secret) {
        try {
            return HexFormat.of()
                    .formatHex(
                            MessageDigest.getInstance("SHA-256")
                                    .digest(secret.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}

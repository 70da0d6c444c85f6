package io.gpusched.server.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.HexFormat;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Signs a message, so that its receiver can tell who sent it and when: HMAC-SHA256 over the time
/// in seconds, a dot and the body. The time is part of it so that an old message cannot be sent
/// again.
final class WebhookSignature {
    static final String HEADER = "X-Gpu-Scheduler-Signature";

    private static final String ALGORITHM = "HmacSHA256";

    private WebhookSignature() {}

    /// `t=1700000000,v1=5257a8…`.
    static String of(String secret, Instant at, byte[] body) {
        String time = Long.toString(at.getEpochSecond());
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            mac.update((time + ".").getBytes(StandardCharsets.UTF_8));
            return "t=" + time + ",v1=" + HexFormat.of().formatHex(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java runtime has " + ALGORITHM, e);
        }
    }
}

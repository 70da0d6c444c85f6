package io.gpusched.gateway.binding;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Signs HTTP requests to Amazon Web Services (Signature Version 4), for requests without a query.
/// The whole SDK would be a hundred times larger than this one request needs.
///
/// @param key the access key id
/// @param secret the secret access key
/// @param token the session token; empty where there is none
record AwsSignature(String key, String secret, String token, String region, String service) {
    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    /// The headers to send, `authorization` among them. The client sends `host` by itself.
    ///
    /// @param headers those that are signed beside the host, with names in lower case
    SortedMap<String, String> headers(
            String method,
            String host,
            String path,
            SortedMap<String, String> headers,
            String body,
            Instant now) {
        String time = TIME.format(now);
        var signed = new TreeMap<>(headers);
        signed.put("host", host);
        signed.put("x-amz-date", time);
        if (!token.isEmpty()) {
            signed.put("x-amz-security-token", token);
        }
        String names = String.join(";", signed.keySet());
        var request = new StringBuilder(method).append('\n').append(path).append("\n\n");
        signed.forEach(
                (name, value) -> request.append(name).append(':').append(value).append('\n'));
        request.append('\n').append(names).append('\n').append(hash(body));
        String day = time.substring(0, 8);
        String scope = String.join("/", day, region, service, "aws4_request");
        String toSign = String.join("\n", ALGORITHM, time, scope, hash(request.toString()));
        String signature = HexFormat.of().formatHex(mac(signingKey(day), toSign));
        signed.remove("host");
        signed.put(
                "authorization",
                "%s Credential=%s/%s, SignedHeaders=%s, Signature=%s"
                        .formatted(ALGORITHM, key, scope, names, signature));
        return signed;
    }

    private byte[] signingKey(String day) {
        byte[] signing = mac(("AWS4" + secret).getBytes(StandardCharsets.UTF_8), day);
        for (String each : new String[] {region, service, "aws4_request"}) {
            signing = mac(signing, each);
        }
        return signing;
    }

    private static String hash(String text) {
        try {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static byte[] mac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA256", e);
        }
    }

    @Override
    public String toString() {
        return "signature for " + service + " in " + region;
    }
}

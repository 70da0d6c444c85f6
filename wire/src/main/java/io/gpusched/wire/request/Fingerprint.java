package io.gpusched.wire.request;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// Fingerprint of a request, to recognise a repeated request with the same idempotency key.
public final class Fingerprint {
    private Fingerprint() {}

    public static long of(byte[] body) {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(body)).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}

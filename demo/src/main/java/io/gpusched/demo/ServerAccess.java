package io.gpusched.demo;

import io.gpusched.demo.pool.PoolApi;
import io.gpusched.server.Server;
import io.gpusched.server.auth.Access;
import io.gpusched.server.config.ApiSection;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// How the simulated fleet and the simulated traffic reach the server: over its ports, with its
/// tokens, as real ones do.
final class ServerAccess {
    private final Server server;

    ServerAccess(Server server) {
        this.server = server;
    }

    /// A channel for agents.
    ManagedChannel channel() {
        return Grpc.newChannelBuilderForAddress(
                        settings().host(), server.grpcPort(), credentials(settings()))
                .build();
    }

    /// The token with which an agent joins; empty if none is needed.
    String joinToken() {
        return token(Access.joinFile(server.config()));
    }

    /// The REST API, with the rights of the administrator.
    PoolApi api() {
        String token = token(Access.adminFile(server.config()));
        try {
            SSLContext trusted =
                    settings().tls() ? trusting(settings().certificate()) : SSLContext.getDefault();
            return new PoolApi(server.url(), token, trusted);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private ApiSection settings() {
        return server.config().api();
    }

    private String token(Path file) {
        try {
            return settings().auth() ? Files.readString(file).strip() : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ChannelCredentials credentials(ApiSection api) {
        try {
            return api.tls()
                    ? TlsChannelCredentials.newBuilder()
                            .trustManager(api.certificate().toFile())
                            .build()
                    : InsecureChannelCredentials.create();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SSLContext trusting(Path file) throws IOException, GeneralSecurityException {
        var store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream in = Files.newInputStream(file)) {
            for (var each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("server-" + store.size(), each);
            }
        }
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        var context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}

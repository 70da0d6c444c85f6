package io.gpusched.gateway.binding;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.security.KeyManagementException;
import java.security.SecureRandom;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/// TLS for clients that do not look whose certificate they get: every socket compares the name in
/// the certificate with the host that it was made for, as HTTPS does.
///
/// The JDK offers this only for each socket, and some clients take nothing but a context.
final class NamedPeerTls extends SSLContextSpi {
    private static final String RULES = "HTTPS";

    private final SSLContext trust;

    private NamedPeerTls(SSLContext trust) {
        this.trust = trust;
    }

    /// @param trust decides which authorities are trusted
    static SSLContext of(SSLContext trust) {
        return new SSLContext(new NamedPeerTls(trust), trust.getProvider(), trust.getProtocol()) {};
    }

    private static SSLSocket checked(Socket socket) {
        var secure = (SSLSocket) socket;
        var parameters = secure.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm(RULES);
        secure.setSSLParameters(parameters);
        return secure;
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
        return new Sockets(trust.getSocketFactory());
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
        return checked(trust.createSSLEngine(host, port));
    }

    /// Accepts no peer, because it knows no name.
    @Override
    protected SSLEngine engineCreateSSLEngine() {
        return checked(trust.createSSLEngine());
    }

    private static SSLEngine checked(SSLEngine engine) {
        var parameters = engine.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm(RULES);
        engine.setSSLParameters(parameters);
        return engine;
    }

    /// Servers have nothing to compare.
    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
        return trust.getServerSocketFactory();
    }

    @Override
    protected void engineInit(KeyManager[] keys, TrustManager[] trusted, SecureRandom random)
            throws KeyManagementException {
        throw new KeyManagementException("the context that it was made of has been initialized");
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
        return trust.getServerSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
        return trust.getClientSessionContext();
    }

    private static final class Sockets extends SSLSocketFactory {
        private final SSLSocketFactory plain;

        Sockets(SSLSocketFactory plain) {
            this.plain = plain;
        }

        @Override
        public String[] getDefaultCipherSuites() {
            return plain.getDefaultCipherSuites();
        }

        @Override
        public String[] getSupportedCipherSuites() {
            return plain.getSupportedCipherSuites();
        }

        @Override
        public Socket createSocket() throws IOException {
            return checked(plain.createSocket());
        }

        @Override
        public Socket createSocket(Socket under, String host, int port, boolean close)
                throws IOException {
            return checked(plain.createSocket(under, host, port, close));
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return checked(plain.createSocket(host, port));
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress local, int localPort)
                throws IOException {
            return checked(plain.createSocket(host, port, local, localPort));
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            return checked(plain.createSocket(host, port));
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
                throws IOException {
            return checked(plain.createSocket(host, port, local, localPort));
        }
    }
}

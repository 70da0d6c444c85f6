package io.gpusched.operator;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.function.Supplier;

import javax.net.ssl.SSLContext;

/// How one operator works.
///
/// @param agentId the name of the cluster as an agent
/// @param namespace only pods of this namespace are scheduled; empty for all
/// @param inFlight most requests about pods at a time
/// @param election whether only the holder of a Lease works
/// @param healthPort for /healthz, /readyz and /metrics; 0 for any, negative for none
record OperatorSettings(
        Scheduler scheduler,
        String agentId,
        String schedulerName,
        String namespace,
        int inFlight,
        Election election,
        int healthPort) {
    /// Where the scheduler is, and who we are to it. Tokens are read again for every session.
    ///
    /// @param tls null for the authorities that the JDK trusts
    record Scheduler(
            URI rest,
            Supplier<String> token,
            @Nullable SSLContext tls,
            InetSocketAddress agents,
            Supplier<String> joinToken,
            boolean agentsUseTls,
            String authorities) {}

    /// @param wanted whether there is an election at all
    /// @param identity differs between the operators of one cluster
    record Election(boolean wanted, String namespace, String identity) {}
}

package io.gpusched.gateway;

import io.gpusched.gateway.proxy.ProxyLimits;
import io.gpusched.gateway.scheduler.SchedulerLink;
import io.gpusched.gateway.scrape.ReplicaWatch;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;

import javax.net.ssl.SSLContext;

/// Everything that an operator can choose.
///
/// @param id names the gateway in its reports; empty for `gateway-PORT`
/// @param token for the scheduler; empty where it asks for none
/// @param tls null for the authorities that the JDK trusts
/// @param open whether clients need no key
/// @param tenantRate tokens per second of each tenant; 0 for no limit
/// @param tenantRates tokens per second of single tenants
public record GatewaySettings(
        String id,
        URI scheduler,
        String token,
        @Nullable SSLContext tls,
        InetSocketAddress listen,
        boolean open,
        double tenantRate,
        Map<String, Double> tenantRates,
        ProxyLimits limits,
        SchedulerLink.Pace pace,
        ReplicaWatch.Pace watch) {
    public GatewaySettings {
        tenantRates = Map.copyOf(tenantRates);
    }
}

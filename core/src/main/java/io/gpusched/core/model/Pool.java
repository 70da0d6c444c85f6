package io.gpusched.core.model;

/// Replicas of one service. Each replica is a job.
public record Pool(
        PoolId id, TenantId tenant, Role template, int min, int max, int warm, Slo slo) {}

package io.gpusched.agent;

import io.grpc.ManagedChannel;

import java.util.function.Supplier;

/// Where the scheduler is and how to be let in.
///
/// @param channel closed together with the agent that uses it
/// @param token asked anew for every session, so that a renewed token needs no restart; empty where
///     none is needed
public record ConnectionSettings(ManagedChannel channel, Supplier<String> token) {}

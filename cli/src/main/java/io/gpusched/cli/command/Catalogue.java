package io.gpusched.cli.command;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/// The one place that knows every command, by name.
///
/// A process carries out one command, so only that one is made: loading the others would cost more
/// time than most commands take.
public final class Catalogue {
    /// Every command, in the order in which help shows them.
    public static final List<String> NAMES =
            List.of(
                    "submit",
                    "list",
                    "get",
                    "wait",
                    "logs",
                    "explain",
                    "events",
                    "cancel",
                    "hold",
                    "release",
                    "priority",
                    "status",
                    "nodes",
                    "cordon",
                    "uncordon",
                    "drain",
                    "delete-node",
                    "defrag",
                    "fairshare",
                    "idle",
                    "model",
                    "what-if",
                    "shadow",
                    "tenants",
                    "create-tenant",
                    "update-tenant",
                    "delete-tenant",
                    "tokens",
                    "create-token",
                    "revoke-token",
                    "completion",
                    "version",
                    "help");

    private Catalogue() {}

    /// A new command for a name or one of its aliases, or null for any other word.
    public static @Nullable Action named(String word) {
        return switch (word) {
            case "submit", "sbatch" -> new Submit();
            case "list", "ls", "squeue" -> new ListJobs();
            case "get", "show" -> new ShowJob();
            case "wait" -> new Wait();
            case "logs" -> new Logs();
            case "explain", "why" -> new Explain();
            case "events" -> new Events();
            case "cancel", "scancel" -> new Cancel();
            case "hold" -> new Hold();
            case "release" -> new Release();
            case "priority" -> new Priority();
            case "status" -> new Status();
            case "nodes", "sinfo" -> new Nodes();
            case "cordon" -> new Cordon();
            case "uncordon" -> new Uncordon();
            case "drain" -> new Drain();
            case "delete-node" -> new DeleteNode();
            case "defrag" -> new Defrag();
            case "fairshare", "sshare" -> new FairShare();
            case "idle" -> new Idle();
            case "model" -> new Model();
            case "what-if" -> new WhatIf();
            case "shadow" -> new Shadow();
            case "tenants" -> new Tenants();
            case "create-tenant" -> new CreateTenant();
            case "update-tenant" -> new UpdateTenant();
            case "delete-tenant" -> new DeleteTenant();
            case "tokens" -> new Tokens();
            case "create-token" -> new CreateToken();
            case "revoke-token" -> new RevokeToken();
            case "completion" -> new Completion();
            case "version" -> new Version();
            case "help" -> new Help();
            default -> null;
        };
    }

    /// One of each.
    public static List<Action> all() {
        return NAMES.stream().map(name -> Objects.requireNonNull(named(name))).toList();
    }
}

package io.gpusched.cli.command;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/// Knows every command by name.
///
/// A process runs one command, so only that one is created: loading the others would take longer
/// than most commands.
public final class CommandCatalogue {
    /// Every command, in the order of the help text.
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
                    "declare-lost",
                    "defrag",
                    "fairshare",
                    "idle",
                    "alerts",
                    "pool",
                    "apply",
                    "models",
                    "classes",
                    "model",
                    "carbon",
                    "what-if",
                    "policy",
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

    private CommandCatalogue() {}

    /// A new command for a name or an alias; null for any other name.
    public static @Nullable CliCommand named(String name) {
        return switch (name) {
            case "submit", "sbatch" -> new SubmitCommand();
            case "list", "ls", "squeue" -> new ListJobsCommand();
            case "get", "show" -> new ShowJobCommand();
            case "wait" -> new WaitCommand();
            case "logs" -> new LogsCommand();
            case "explain", "why" -> new ExplainCommand();
            case "events" -> new EventsCommand();
            case "cancel", "scancel" -> new CancelCommand();
            case "hold" -> new HoldCommand();
            case "release" -> new ReleaseCommand();
            case "priority" -> new PriorityCommand();
            case "status" -> new StatusCommand();
            case "nodes", "sinfo" -> new NodesCommand();
            case "cordon" -> new CordonCommand();
            case "uncordon" -> new UncordonCommand();
            case "drain" -> new DrainCommand();
            case "delete-node" -> new DeleteNodeCommand();
            case "declare-lost" -> new DeclareLostCommand();
            case "defrag" -> new DefragCommand();
            case "fairshare", "sshare" -> new FairShareCommand();
            case "idle" -> new IdleCommand();
            case "alerts" -> new AlertsCommand();
            case "pool", "pools" -> new PoolCommand();
            case "apply" -> new ApplyCommand();
            case "model" -> new ModelCommand();
            case "models" -> new ServedModelsCommand();
            case "classes" -> new ClassesCommand();
            case "carbon" -> new ForecastCommand();
            case "what-if" -> new WhatIfCommand();
            case "policy" -> new PolicyCommand();
            case "shadow" -> new ShadowCommand();
            case "tenants" -> new TenantsCommand();
            case "create-tenant" -> new CreateTenantCommand();
            case "update-tenant" -> new UpdateTenantCommand();
            case "delete-tenant" -> new DeleteTenantCommand();
            case "tokens" -> new TokensCommand();
            case "create-token" -> new CreateTokenCommand();
            case "revoke-token" -> new RevokeTokenCommand();
            case "completion" -> new CompletionCommand();
            case "version" -> new VersionCommand();
            case "help" -> new HelpCommand();
            default -> null;
        };
    }

    /// One instance of every command.
    public static List<CliCommand> all() {
        return NAMES.stream().map(name -> Objects.requireNonNull(named(name))).toList();
    }
}

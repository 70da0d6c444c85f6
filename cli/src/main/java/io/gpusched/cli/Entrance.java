package io.gpusched.cli;

import io.gpusched.cli.command.GlobalWords;
import io.gpusched.cli.command.Session;
import io.gpusched.cli.command.Tenancy;
import io.gpusched.cli.command.Words;
import io.gpusched.cli.print.Paint;
import io.gpusched.cli.print.Printer;
import io.gpusched.cli.rest.Access;
import io.gpusched.cli.rest.Certificates;
import io.gpusched.cli.rest.Rest;
import io.gpusched.cli.words.Misuse;
import io.gpusched.cli.words.Option;
import io.gpusched.cli.words.Typed;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import javax.net.ssl.SSLContext;

/// Makes the session of a command out of what was typed and what lies around: an option wins over
/// an environment variable, and that over the default.
final class Entrance {
    private static final String DEFAULT_URL = "http://localhost:8080";

    private final Surroundings world;
    private final Typed typed;

    Entrance(Surroundings world, Typed typed) {
        this.world = world;
        this.typed = typed;
    }

    Session session() {
        Access access = access();
        if (access.leaksToken()) {
            world.err().println("warning: the token travels unencrypted; use an https address");
        }
        var tenancy =
                new Tenancy(
                        said(GlobalWords.TENANT_ID, "GPU_SCHEDULER_TENANT_ID", ""),
                        !access.token().isEmpty());
        return new Session(
                new Rest(access), printer(), world.pace(), tenancy, world.in(), world.terminal());
    }

    private Printer printer() {
        boolean colour = world.terminal() && world.variable("NO_COLOR").isEmpty();
        return new Printer(
                world.out(),
                world.err(),
                typed.of(GlobalWords.OUTPUT),
                !typed.of(GlobalWords.NO_HEADERS),
                colour ? Paint.COLOUR : Paint.NONE);
    }

    private Access access() {
        try {
            return new Access(
                    said(GlobalWords.API_URL, "GPU_SCHEDULER_API_URL", DEFAULT_URL),
                    token(),
                    trust());
        } catch (IllegalArgumentException wrong) {
            throw new Misuse(String.valueOf(wrong.getMessage()));
        }
    }

    private String token() {
        if (typed.has(GlobalWords.TOKEN) || !typed.has(GlobalWords.TOKEN_FILE)) {
            return said(GlobalWords.TOKEN, "GPU_SCHEDULER_TOKEN", "").strip();
        }
        String file = typed.of(GlobalWords.TOKEN_FILE);
        try {
            return Files.readString(Path.of(file)).strip();
        } catch (IOException e) {
            throw new Misuse("option --token-file: cannot read " + file + " (" + Words.of(e) + ")");
        }
    }

    private @Nullable SSLContext trust() {
        String file = said(GlobalWords.CACERT, "GPU_SCHEDULER_CACERT", "");
        return file.isEmpty() ? null : Certificates.trustedIn(Path.of(file));
    }

    private String said(Option<String> option, String variable, String otherwise) {
        String fromEnvironment = world.variable(variable);
        return typed.or(option, fromEnvironment.isEmpty() ? otherwise : fromEnvironment);
    }
}

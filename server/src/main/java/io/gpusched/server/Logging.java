package io.gpusched.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;

import io.gpusched.server.config.LogSection;

import org.slf4j.LoggerFactory;

import java.util.logging.LogManager;

/// Configures the log: messages go to standard error, as text or as JSON, one line each.
public final class Logging {
    private Logging() {}

    public static void configure(LogSection section) {
        var context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        var appender = new ConsoleAppender<ILoggingEvent>();
        appender.setContext(context);
        appender.setTarget("System.err");
        appender.setEncoder(section.json() ? json(context) : text(context));
        appender.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.addAppender(appender);
        root.setLevel(Level.toLevel(section.level(), Level.INFO));
        // Libraries log only warnings and errors.
        for (String library : new String[] {"io.grpc", "io.helidon", "com.zaxxer", "io.netty"}) {
            context.getLogger(library).setLevel(Level.WARN);
        }
        LogManager.getLogManager().getLogger("").setLevel(java.util.logging.Level.WARNING);
    }

    private static Encoder<ILoggingEvent> text(LoggerContext context) {
        var encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%d{HH:mm:ss.SSS} %-5level %logger{0} - %msg%n");
        encoder.start();
        return encoder;
    }

    private static Encoder<ILoggingEvent> json(LoggerContext context) {
        var encoder = new JsonEncoder();
        encoder.setContext(context);
        encoder.start();
        return encoder;
    }
}

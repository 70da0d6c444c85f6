package io.gpusched.gateway.binding;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;

import org.slf4j.LoggerFactory;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.logging.Handler;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;

/// Everything that the process writes while this is open: all log levels of all libraries, and the
/// standard streams.
final class Outputs implements AutoCloseable {
    private final PrintStream out = System.out;
    private final PrintStream err = System.err;
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    private final Level before = root.getLevel();
    private final AppenderBase<ILoggingEvent> appender =
            new AppenderBase<>() {
                @Override
                protected void append(ILoggingEvent event) {
                    add(event.getFormattedMessage());
                    if (event.getThrowableProxy() != null) {
                        add(ThrowableProxyUtil.asString(event.getThrowableProxy()));
                    }
                }
            };
    private final Handler handler =
            new Handler() {
                @Override
                public void publish(LogRecord event) {
                    add(event.getMessage() + " " + event.getThrown());
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };

    Outputs() {
        var captured = new PrintStream(written, true, StandardCharsets.UTF_8);
        System.setOut(captured);
        System.setErr(captured);
        root.setLevel(Level.TRACE);
        appender.setContext(root.getLoggerContext());
        appender.start();
        root.addAppender(appender);
        LogManager.getLogManager().getLogger("").addHandler(handler);
    }

    void add(String text) {
        written.writeBytes((text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    String text() {
        return written.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        System.setOut(out);
        System.setErr(err);
        root.setLevel(before);
        root.detachAppender(appender);
        appender.stop();
        LogManager.getLogManager().getLogger("").removeHandler(handler);
    }
}

package io.gpusched.gateway.binding;

import org.jspecify.annotations.Nullable;

import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// Redis: the length of a list, or with a group the entries of a stream that the group has not
/// acknowledged (its lag plus what is pending).
///
/// Redis cannot tell the lag of a group after entries of the stream were deleted. Then the entries
/// beyond the last delivered one are counted, up to a thousand.
final class RedisLag implements QueueLag {
    private static final int PORT = 6379;
    private static final String COUNTED = "1000";

    private final Connection connection;
    private final AnswerBudget budget;
    private final String queue;
    private final String group;

    private RedisLag(Connection connection, AnswerBudget budget, Binding binding) {
        this.connection = connection;
        this.budget = budget;
        this.queue = binding.queue();
        this.group = binding.group();
    }

    static QueueLag open(Binding binding, ConnectionAddress address) throws LagProblem {
        var settings =
                DefaultJedisClientConfig.builder()
                        .timeoutMillis(Pace.CLIENT_TIMEOUT_MILLIS)
                        // Nothing is sent that a user with few permissions may not send.
                        .serverDefaultProtocol()
                        .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                        .database(database(address.path()));
        if (address.isSecure("redis", "rediss")) {
            settings.sslOptions(SslOptions.defaults());
        }
        if (!address.user().isEmpty()) {
            settings.user(address.user());
        }
        if (!address.password().isEmpty()) {
            settings.password(address.password());
        }
        ConnectionAddress.Host host = address.host();
        try {
            var place = new HostAndPort(host.name(), host.portOr(PORT));
            var config = settings.build();
            var sockets = new DefaultJedisSocketFactory(place, config);
            var budget = new AnswerBudget();
            var connection = new Connection(() -> guarded(sockets, budget), config);
            return new RedisLag(connection, budget, binding);
        } catch (JedisException e) {
            throw problem(e);
        }
    }

    private static Socket guarded(JedisSocketFactory sockets, AnswerBudget budget) {
        try {
            return new GuardedSocket(sockets.createSocket(), budget);
        } catch (IOException e) {
            throw new JedisConnectionException(e);
        }
    }

    private static int database(String path) throws LagProblem {
        if (!path.matches("[0-9]{0,4}")) {
            throw ConnectionAddress.malformed("a database number after the host");
        }
        return path.isEmpty() ? 0 : Integer.parseInt(path);
    }

    @Override
    public long depth() throws LagProblem {
        try {
            return QueueLag.plausible(group.isEmpty() ? length() : streamLag());
        } catch (JedisException e) {
            throw problem(e);
        } catch (NumberFormatException e) {
            throw LagProblem.garbage();
        }
    }

    private long length() throws LagProblem {
        return number(ask(new CommandArguments(Command.LLEN).add(queue)));
    }

    private long streamLag() throws LagProblem {
        Object answer = ask(new CommandArguments(Command.XINFO).add("GROUPS").add(queue));
        for (Object each : list(answer)) {
            Map<String, Object> fields = fields(each);
            if (group.equals(text(fields.get("name")))) {
                Object lag = fields.get("lag");
                long waiting = lag == null ? after(fields.get("last-delivered-id")) : number(lag);
                return QueueLag.plausible(waiting)
                        + QueueLag.plausible(number(fields.get("pending")));
            }
        }
        throw LagProblem.missing("group");
    }

    private long after(@Nullable Object id) throws LagProblem {
        var range = new CommandArguments(Command.XRANGE).add(queue).add("(" + text(id)).add("+");
        return list(ask(range.add("COUNT").add(COUNTED))).size();
    }

    private Object ask(CommandArguments command) throws LagProblem {
        budget.renew();
        Object answer = connection.executeCommand(command);
        if (answer == null) {
            throw LagProblem.garbage();
        }
        return answer;
    }

    private static Map<String, Object> fields(Object group) throws LagProblem {
        List<?> cells = list(group);
        var fields = new TreeMap<String, Object>();
        for (int i = 0; i + 1 < cells.size(); i += 2) {
            Object value = cells.get(i + 1);
            if (value != null) {
                fields.put(text(cells.get(i)), value);
            }
        }
        return fields;
    }

    private static List<?> list(Object answer) throws LagProblem {
        if (answer instanceof List<?> list) {
            return list;
        }
        throw LagProblem.garbage();
    }

    private static long number(@Nullable Object answer) throws LagProblem {
        if (answer instanceof Long number) {
            return number;
        }
        throw LagProblem.garbage();
    }

    private static String text(@Nullable Object answer) throws LagProblem {
        if (answer instanceof byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
        throw LagProblem.garbage();
    }

    private static LagProblem problem(JedisException failure) {
        String said = Objects.requireNonNullElse(failure.getMessage(), "");
        if (failure instanceof JedisAccessControlException || said.startsWith("NOAUTH")) {
            return LagProblem.credentials();
        }
        if (failure instanceof JedisRedirectionException) {
            return new LagProblem(
                    "another node of the cluster holds the key; name that node in the connection");
        }
        if (failure instanceof JedisConnectionException) {
            return LagProblem.connecting(failure);
        }
        if (said.startsWith("WRONGTYPE")) {
            return new LagProblem(
                    "the key is of another type; a list has no group, a stream needs one");
        }
        if (said.startsWith("ERR no such key")) {
            return LagProblem.missing("stream");
        }
        return failure instanceof JedisDataException
                ? new LagProblem("the server refused the command; check its version and state")
                : LagProblem.garbage();
    }

    @Override
    public void close() {
        try {
            connection.forceDisconnect();
        } catch (IOException | JedisException e) {
            // Nothing more can be done with it.
            connection.setBroken();
        }
    }
}

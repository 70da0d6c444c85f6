"""A Gymnasium client for the reinforcement-learning environment of gpu-scheduler.

Start the server, then play:

    bin/lab environment --port 5555

    from gpusched_gym import GpuSchedEnv
    env = GpuSchedEnv(port=5555, lookahead_mode="cdf")
    observation, info = env.reset(seed=2000001)
    observation, reward, terminated, truncated, info = env.step(0)

The file needs the standard library only. If gymnasium (with numpy) is installed, GpuSchedEnv is a
gymnasium.Env with spaces and numpy observations; otherwise observations are lists of floats.
"""

import json
import socket

try:
    import gymnasium
    import numpy

    _Base = gymnasium.Env
except ImportError:
    gymnasium = None
    numpy = None
    _Base = object

PROTOCOL = 1


class ServerError(Exception):
    """The server refused a request. `field` names the part of the request that is wrong."""

    def __init__(self, field, message):
        super().__init__(f"{field}: {message}" if field else message)
        self.field = field


class _Connection:
    """One line of JSON there, one line of JSON back."""

    def __init__(self, host, port, timeout):
        self._socket = socket.create_connection((host, port), timeout=timeout)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._lines = self._socket.makefile("rb")

    def ask(self, name, **fields):
        if self._socket is None:
            raise ConnectionError("the environment is closed")
        self._socket.sendall(json.dumps({name: fields}).encode() + b"\n")
        line = self._lines.readline()
        if not line:
            raise ConnectionError("the server has closed the connection")
        answer = json.loads(line)
        if "error" in answer:
            raise ServerError(answer["error"]["field"], answer["error"]["message"])
        return answer

    def make(self, settings):
        made = self.ask("make", **settings)["made"]
        if made["protocol"] != PROTOCOL:
            raise ConnectionError(
                f"expected protocol {PROTOCOL}, the server speaks {made['protocol']}; "
                "take the client file of the server's release"
            )
        return made

    def close(self):
        if self._socket is None:
            return
        try:
            self.ask("close")
        except (OSError, ServerError):
            pass
        self._lines.close()
        self._socket.close()
        self._socket = None


def _numbers(values):
    return values if numpy is None else numpy.asarray(values, dtype=numpy.float32)


def _info(info):
    if numpy is not None:
        info["action_mask"] = numpy.asarray(info["action_mask"], dtype=numpy.int8)
    return info


def _mask(info):
    mask = info["action_mask"]
    return [one == 1 for one in mask] if numpy is None else mask.astype(bool)


class GpuSchedEnv(_Base):
    """One environment. Keyword settings are those of `bin/lab environment --help`, with
    underscores: num_gpus, max_queue_size, max_episode_steps, max_duration, jobs_per_episode,
    arrival_mode, arrival_span, horizon_factor, lookahead_mode."""

    metadata = {"render_modes": []}

    def __init__(self, port=5555, host="127.0.0.1", timeout=60, **settings):
        self._connection = _Connection(host, port, timeout)
        try:
            made = self._connection.make(settings)
        except BaseException:
            self._connection.close()
            raise
        self.num_actions = made["num_actions"]
        self.observation_size = made["observation_size"]
        self._info = None
        if gymnasium is not None:
            self.observation_space = gymnasium.spaces.Box(
                0.0, 1.0, (self.observation_size,), numpy.float32
            )
            self.action_space = gymnasium.spaces.Discrete(self.num_actions)

    def reset(self, seed=None, options=None):
        """Begins an episode. Without a seed, it is the episode of the next seed."""
        if gymnasium is not None:
            super().reset(seed=seed)
        answer = self._connection.ask("reset", **({} if seed is None else {"seed": int(seed)}))
        self._info = _info(answer["info"])
        return _numbers(answer["observation"]), self._info

    def step(self, action):
        """Executes an action: 0 waits, i starts the job at position i of the window."""
        answer = self._connection.ask("step", action=int(action))
        self._info = _info(answer["info"])
        return (
            _numbers(answer["observation"]),
            answer["reward"],
            answer["terminated"],
            answer["truncated"],
            self._info,
        )

    def action_masks(self):
        """Which actions can be carried out now, as booleans."""
        if self._info is None:
            raise RuntimeError("no episode has begun; call reset first")
        return _mask(self._info)

    def close(self):
        self._connection.close()


class GpuSchedVectorEnv:
    """Many environments, stepped by one request. An environment whose episode ends begins the next
    one in the same step; its info then has `final_observation` and `r_terminal`."""

    def __init__(self, num_envs, port=5555, host="127.0.0.1", timeout=60, **settings):
        self._connection = _Connection(host, port, timeout)
        try:
            made = self._connection.make({**settings, "num_envs": num_envs})
        except BaseException:
            self._connection.close()
            raise
        self.num_envs = made["num_envs"]
        self.num_actions = made["num_actions"]
        self.observation_size = made["observation_size"]
        self._infos = None

    def reset(self, seed=None, options=None):
        """Begins an episode everywhere; environment i gets the seed `seed` + i."""
        answer = self._connection.ask("reset", **({} if seed is None else {"seed": int(seed)}))
        self._infos = [_info(one) for one in answer["infos"]]
        return _numbers(answer["observations"]), self._infos

    def step(self, actions):
        answer = self._connection.ask("step", actions=[int(one) for one in actions])
        self._infos = [_info(one) for one in answer["infos"]]
        for one in self._infos:
            if "final_observation" in one:
                one["final_observation"] = _numbers(one["final_observation"])
        return (
            _numbers(answer["observations"]),
            answer["rewards"],
            answer["terminated"],
            answer["truncated"],
            self._infos,
        )

    def action_masks(self):
        if self._infos is None:
            raise RuntimeError("no episode has begun; call reset first")
        return [_mask(one) for one in self._infos]

    def close(self):
        self._connection.close()

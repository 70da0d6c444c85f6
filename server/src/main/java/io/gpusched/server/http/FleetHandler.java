package io.gpusched.server.http;

import io.gpusched.server.auth.Caller;
import io.helidon.http.HeaderNames;

import java.util.HashMap;
import java.util.Map;

/// `GET /api/v1/fleet`: every GPU with its use, holder and condition, for a heat map.
final class FleetHandler {
    private static final byte[] NOTHING = new byte[0];

    private final FleetPictures pictures;

    FleetHandler(FleetPictures pictures) {
        this.pictures = pictures;
    }

    Response show(Request request) {
        request.onlyParameters();
        FleetPictures.Picture picture =
                pictures.now(
                        request.caller() instanceof Caller.Member member ? member.tenant() : null);
        boolean compressed = request.header(HeaderNames.ACCEPT_ENCODING).contains("gzip");
        String tag = '"' + picture.tag() + (compressed ? "-gzip" : "") + '"';
        var headers =
                Map.of(
                        "ETag",
                        tag,
                        "Cache-Control",
                        "private, no-cache",
                        "Vary",
                        "Accept-Encoding, Authorization");
        if (request.header(HeaderNames.IF_NONE_MATCH).contains(tag)) {
            return new Response.Complete(304, Response.JSON, NOTHING, headers);
        }
        if (!compressed) {
            return new Response.Complete(200, Response.JSON, picture.json(), headers);
        }
        var encoded = new HashMap<>(headers);
        encoded.put("Content-Encoding", "gzip");
        return new Response.Complete(200, Response.JSON, picture.compressed(), encoded);
    }
}

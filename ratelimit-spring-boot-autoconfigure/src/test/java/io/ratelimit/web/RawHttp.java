package io.ratelimit.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Sends requests as they are spelled: no client library tidies them up. One connection for each request. */
final class RawHttp {

    private final int port;

    RawHttp(int port) {
        this.port = port;
    }

    /** What came back; header names keep their spelling, several lines of one name stay several. */
    record Response(int status, List<Map.Entry<String, String>> headers, String body) {

        List<String> all(String name) {
            return headers.stream()
                    .filter(header -> header.getKey().equalsIgnoreCase(name))
                    .map(Map.Entry::getValue)
                    .toList();
        }

        String header(String name) {
            return String.join(" | ", all(name));
        }
    }

    Response get(String target, String... headers) {
        return send("GET", target, "", headers);
    }

    Response send(String method, String target, String body, String... headers) {
        StringBuilder request = new StringBuilder(
                "%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n".formatted(method, target));
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > 0) {
            request.append("Content-Length: ").append(bytes.length).append("\r\n");
        }
        request.append("\r\n").append(body);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
            return parse(readAll(socket.getInputStream()));
        } catch (IOException failure) {
            throw new AssertionError(method + " " + target, failure);
        }
    }

    private static byte[] readAll(InputStream stream) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        stream.transferTo(all);
        return all.toByteArray();
    }

    private static Response parse(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        int end = text.indexOf("\r\n\r\n");
        String[] lines = text.substring(0, end).split("\r\n");
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            headers.add(Map.entry(
                    lines[i].substring(0, colon), lines[i].substring(colon + 1).trim()));
        }
        Response response = new Response(Integer.parseInt(lines[0].split(" ")[1]), headers, "");
        String body = text.substring(end + 4);
        boolean chunked = response.header("Transfer-Encoding").equals("chunked");
        return new Response(response.status(), headers, chunked ? unchunked(body) : body);
    }

    private static String unchunked(String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        int position = 0;
        while (position < bytes.length) {
            int lineEnd = position;
            while (bytes[lineEnd] != '\r') {
                lineEnd++;
            }
            int size = Integer.parseInt(new String(bytes, position, lineEnd - position, StandardCharsets.US_ASCII), 16);
            if (size == 0) {
                break;
            }
            text.write(bytes, lineEnd + 2, size);
            position = lineEnd + 2 + size + 2;
        }
        return text.toString(StandardCharsets.UTF_8);
    }
}

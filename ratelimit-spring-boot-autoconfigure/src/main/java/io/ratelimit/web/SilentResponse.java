package io.ratelimit.web;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.PrintWriter;
import java.io.Writer;

/** Takes headers for the real response, and swallows status, errors and body. */
final class SilentResponse extends HttpServletResponseWrapper {

    private boolean rejected;

    SilentResponse(HttpServletResponse response) {
        super(response);
    }

    /** {@return whether somebody tried to answer with an error} */
    boolean isRejected() {
        return rejected;
    }

    @Override
    public void setStatus(int status) {
        rejected |= status >= SC_BAD_REQUEST;
    }

    @Override
    public void sendError(int status) {
        rejected = true;
    }

    @Override
    public void sendError(int status, String message) {
        rejected = true;
    }

    @Override
    public void sendRedirect(String location) {
        rejected = true;
    }

    @Override
    public void sendRedirect(String location, int status, boolean clearBuffer) {
        rejected = true;
    }

    @Override
    public void flushBuffer() {}

    @Override
    public ServletOutputStream getOutputStream() {
        return new NullOutputStream();
    }

    @Override
    public PrintWriter getWriter() {
        return new PrintWriter(Writer.nullWriter());
    }

    private static final class NullOutputStream extends ServletOutputStream {

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {}

        @Override
        public void write(int b) {}
    }
}

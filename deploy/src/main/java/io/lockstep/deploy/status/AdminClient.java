package io.lockstep.deploy.status;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lockstep.deploy.admin.NodeReport;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;

/** Asks one node over its admin HTTP. Blocks the caller for a bounded time. Thread-safe. */
public final class AdminClient {
  /** An answer is at most this long. */
  static final int MAX_ANSWER_BYTES = 32 << 20;

  private static final ObjectMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private final String endpoint;
  private final int timeoutMillis;

  /**
   * A client.
   *
   * @param endpoint {@code host:port}
   * @param timeoutMillis for connecting, and again for each read
   */
  public AdminClient(String endpoint, int timeoutMillis) {
    this.endpoint = endpoint;
    this.timeoutMillis = timeoutMillis;
  }

  /** {@code host:port}. */
  public String endpoint() {
    return endpoint;
  }

  /**
   * The node's report.
   *
   * @throws IOException names the endpoint and what went wrong
   */
  public NodeReport report() throws IOException {
    try {
      return JSON.readValue(get("/api/v1/status", 200), NodeReport.class);
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new IOException(endpoint + " answers, but is no node of Lockstep", e);
    }
  }

  /** Whether the node says it is ready; false too where it does not answer. */
  public boolean ready() {
    try {
      get("/health/ready", 200);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private byte[] get(String path, int wanted) throws IOException {
    try {
      HttpURLConnection connection =
          (HttpURLConnection)
              URI.create("http://" + endpoint + path).toURL().openConnection(Proxy.NO_PROXY);
      connection.setConnectTimeout(timeoutMillis);
      connection.setReadTimeout(timeoutMillis);
      int status = connection.getResponseCode();
      if (status != wanted) {
        throw new IOException("it answers " + path + " with HTTP status " + status);
      }
      try (InputStream in = connection.getInputStream()) {
        return in.readNBytes(MAX_ANSWER_BYTES);
      }
    } catch (IOException e) {
      throw new IOException(endpoint + ": " + e.getMessage(), e);
    }
  }
}

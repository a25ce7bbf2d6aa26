package io.lockstep.deploy.admin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The description of the admin HTTP (OpenAPI 3.1), as it was written by hand. */
final class OpenApi {
  static final String PATH = "/api/v1/openapi.json";

  private static final byte[] DOCUMENT = read();

  private OpenApi() {}

  private static byte[] read() {
    try (InputStream in = OpenApi.class.getResourceAsStream("openapi.json")) {
      if (in == null) {
        throw new IllegalStateException("openapi.json is not in the jar");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its bytes. */
  static byte[] document() {
    return DOCUMENT.clone();
  }
}

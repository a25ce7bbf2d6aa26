package io.lockstep.store.simulation;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** What the simulated ordering decides on: some requests and the leader's time. */
record Batches(long timeMillis, List<Request> requests) {

  /** A client's request; copies have the same number. */
  record Request(long number, byte[] bytes) {}

  byte[] encode() {
    int size = 12;
    for (Request request : requests) {
      size += 12 + request.bytes.length;
    }
    ByteBuffer out = ByteBuffer.allocate(size).putLong(timeMillis).putInt(requests.size());
    for (Request request : requests) {
      out.putLong(request.number).putInt(request.bytes.length).put(request.bytes);
    }
    return out.array();
  }

  static Batches decode(byte[] value) {
    ByteBuffer in = ByteBuffer.wrap(value);
    long timeMillis = in.getLong();
    List<Request> requests = new ArrayList<>();
    for (int left = in.getInt(); left > 0; left--) {
      long number = in.getLong();
      byte[] bytes = new byte[in.getInt()];
      in.get(bytes);
      requests.add(new Request(number, bytes));
    }
    return new Batches(timeMillis, requests);
  }

  List<byte[]> contents() {
    return requests.stream().map(Request::bytes).toList();
  }
}

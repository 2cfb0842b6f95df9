// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec.json;

/** The grammar of a JSON number: finds where it ends. */
final class JsonNumber {
    private JsonNumber() {}

    /** Position after the sign and the integer digits. */
    static int integerEnd(byte[] bytes, int at, JsonScanner scanner) {
        int digits = bytes[at] == '-' ? at + 1 : at;
        int stop = afterDigits(bytes, digits);
        if (stop == digits) {
            throw scanner.notJson(digits, "a value is expected");
        }
        if (bytes[digits] == '0' && stop > digits + 1) {
            throw scanner.notJson(digits, "a number does not begin with 0");
        }
        return stop;
    }

    /** Position after the fraction and the exponent, if there are any. */
    static int end(byte[] bytes, int integerEnd, JsonScanner scanner) {
        int p = integerEnd;
        if (bytes[p] == '.') {
            p = requireDigits(bytes, p + 1, scanner);
        }
        if (bytes[p] == 'e' || bytes[p] == 'E') {
            p++;
            p = requireDigits(bytes, bytes[p] == '+' || bytes[p] == '-' ? p + 1 : p, scanner);
        }
        return p;
    }

    private static int requireDigits(byte[] bytes, int from, JsonScanner scanner) {
        int p = afterDigits(bytes, from);
        if (p == from) {
            throw scanner.notJson(from, "a digit is expected");
        }
        return p;
    }

    private static int afterDigits(byte[] bytes, int from) {
        int p = from;
        while (bytes[p] >= '0' && bytes[p] <= '9') {
            p++;
        }
        return p;
    }
}

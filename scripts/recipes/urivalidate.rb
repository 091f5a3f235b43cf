class Urivalidate < Formula
  desc "Validate the URIs of lists, logs, web archives and documents in bulk"
  homepage "@HOMEPAGE@"
  url "@URL@"
  sha256 "@SHA256@"
  license any_of: ["Apache-2.0", "MIT"]

  depends_on "rust" => :build

  def install
    system "cargo", "install", "--profile", "dist", *std_cargo_args(path: "cli"), "--features", "parquet"
    generate_completions_from_executable(bin/"urivalidate", "--generate", shell_parameter_format: "complete-")
    (man1/"urivalidate.1").write Utils.safe_popen_read(bin/"urivalidate", "--generate", "man")
  end

  test do
    (testpath/"urls.txt").write "https://example.com/\nhttps://example.com/a b\n"
    assert_match "urls.txt:2:22: space", shell_output("#{bin}/urivalidate urls.txt", 1)
  end
end
